//! A place for one test: a schema in a database that all tests of a program share.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio_postgres::NoTls;

use crate::install::Version;
use crate::server::{Server, Settings};

/// The address of the server that the tests of this program share.
pub fn address() -> &'static str {
    address_of(Version::Current)
}

fn address_of(version: Version) -> &'static str {
    static ADDRESSES: [OnceLock<String>; 2] = [const { OnceLock::new() }; 2];
    static SERVERS: [OnceLock<Server>; 2] = [const { OnceLock::new() }; 2];
    let number = usize::from(version == Version::Oldest);
    ADDRESSES[number].get_or_init(|| match given().filter(|_| version == Version::Current) {
        Some(address) => address,
        None => SERVERS[number].get_or_init(|| Server::start(&Settings { version, ..Settings::default() })).address(),
    })
}

/// The server that is to be used instead of our own.
fn given() -> Option<String> {
    std::env::var("AFTERTHOUGHT_TEST_POSTGRES").ok()
}

/// A schema of its own in the shared database, named but not made; gone with what is returned.
#[derive(Debug)]
pub struct Place {
    schema: String,
    version: Version,
}

impl Place {
    /// A place nobody has used.
    #[must_use]
    pub fn fresh() -> Self {
        Self::fresh_on(Version::Current)
    }

    /// A place nobody has used, of that PostgreSQL.
    #[must_use]
    pub fn fresh_on(version: Version) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self { schema: format!("test_{}_{count}", std::process::id()), version }
    }

    /// The address of the database.
    #[must_use]
    pub fn address(&self) -> &'static str {
        address_of(self.version)
    }

    /// The name of the schema.
    #[must_use]
    pub fn schema(&self) -> &str {
        &self.schema
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if given().is_none() || self.version != Version::Current {
            // The whole server goes with the tests.
            return;
        }
        let sql = format!("DROP SCHEMA IF EXISTS {} CASCADE", self.schema);
        let remove = async move {
            let (client, connection) = tokio_postgres::connect(address(), NoTls).await.unwrap();
            tokio::spawn(connection);
            client.batch_execute(&sql).await.unwrap();
        };
        // A test may end within a runtime, where no other may be waited for.
        let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let _ = std::thread::spawn(move || runtime().block_on(remove)).join();
    }
}
