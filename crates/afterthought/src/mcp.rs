//! MCP over JSON-RPC 2.0: one message in, one answer out, in both living generations of the protocol.
//!
//! Nothing here knows HTTP beyond the three headers the stateless generation repeats from its body. No state outlives a
//! message.

mod error;
mod generation;
mod headers;
mod lifecycle;
mod message;
mod method;
mod params;
mod refusal;
mod response;
mod tools;

use std::borrow::Cow;

pub use error::{FaultKind, INTERNAL_ERROR_CODE, STORE_ERROR_CODE, TRANSPORT_ERROR_CODE};
pub use generation::Generation;
pub use headers::{Headers, header_value};
pub use method::Method;
pub use response::error as error_response;
pub use tools::{Definition, Tool, definitions};

use model::Caller;
use service::memory::Memory;

use error::Fault;
use message::{Message, Request};
use params::Params;
use tools::Call;

/// Answers MCP messages.
#[derive(Clone)]
pub struct Mcp {
    memory: Memory,
}

/// What a message is answered with.
#[derive(Debug)]
pub struct Answer {
    /// The JSON-RPC response; `None` for a notification, which gets none.
    pub body: Option<Vec<u8>>,
    /// What became of the message.
    pub outcome: Outcome,
    /// The method asked for.
    pub method: Method,
}

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was carried out.
    Done,
    /// It was a notification.
    Noted,
    /// A tool refused what it was asked to do.
    Refused,
    /// The store failed.
    Failed,
    /// It was not carried out.
    Fault(FaultKind, Generation),
}

impl Mcp {
    /// Puts the protocol in front of the rules.
    pub fn new(memory: Memory) -> Self {
        Self { memory }
    }

    /// Answers one message of a caller whose key has been checked.
    pub async fn answer(&self, caller: &Caller, headers: &Headers<'_>, body: &[u8]) -> Answer {
        let request = match message::decode(body) {
            Ok(Message::Request(request)) => request,
            Ok(Message::Notification) => {
                return Answer { body: None, outcome: Outcome::Noted, method: Method::Notification };
            }
            Err(unreadable) => {
                return Answer::fault(unreadable.id, &unreadable.fault, Generation::Handshake, Method::Other);
            }
        };
        let read = Params::of(&request, headers).and_then(|params| Ok((params.generation(&request, headers)?, params)));
        let (generation, params) = match read {
            Ok(read) => read,
            Err(fault) => {
                let generation = headers.shown_generation(&request.method);
                return Answer::fault(Some(request.id), &fault, generation, Method::Other);
            }
        };
        self.carry_out(caller, &request, &params, generation).await
    }

    async fn carry_out(
        &self,
        caller: &Caller,
        request: &Request<'_>,
        params: &Params<'_>,
        generation: Generation,
    ) -> Answer {
        let method = Method::of(request, generation);
        let members = match method {
            Method::CallTool(_) => match Call::of(params) {
                Ok(call) => return self.call_tool(caller, request.id, call, generation).await,
                Err(fault) => Err(fault),
            },
            Method::ListTools => Ok(tools::list(generation).into()),
            Method::Initialize => lifecycle::initialize(params.protocol_version).map(Cow::Owned),
            Method::Ping => Ok("".into()),
            Method::Discover => Ok(lifecycle::discover().into()),
            Method::Notification | Method::Other => Err(Fault::unknown_method(&request.method)),
        };
        match members {
            Ok(members) => Answer {
                body: Some(response::result(request.id, generation, &members)),
                outcome: Outcome::Done,
                method,
            },
            Err(fault) => Answer::fault(Some(request.id), &fault, generation, method),
        }
    }

    async fn call_tool(&self, caller: &Caller, id: &str, call: Call<'_>, generation: Generation) -> Answer {
        let tool = call.tool;
        let ran = call.run(&self.memory, caller).await.map_err(|error| error.into_sentence(tool));
        let (body, outcome) = match ran {
            Ok(object) => (response::tool_output(id, generation, &object), Outcome::Done),
            Err(Ok(refusal)) => (response::tool_refusal(id, generation, &refusal), Outcome::Refused),
            Err(Err(fault)) => (response::fault(Some(id), &fault), Outcome::Failed),
        };
        Answer { body: Some(body), outcome, method: Method::CallTool(Some(tool)) }
    }
}

impl Answer {
    fn fault(id: Option<&str>, fault: &Fault, generation: Generation, method: Method) -> Self {
        let outcome = Outcome::Fault(fault.kind, generation);
        Self { body: Some(response::fault(id, fault)), outcome, method }
    }
}
