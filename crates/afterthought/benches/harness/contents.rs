//! What benchmarks put into a store themselves, past the service.

use uuid::Uuid;

use model::{Account, AccountId, Author, Category, Clock, Status, SystemClock, Thought, ThoughtId, ThoughtText, Time};
use store::{Piece, Store};

/// Makes an account.
pub(crate) async fn an_account(store: &dyn Store) -> AccountId {
    let id = AccountId::from_uuid(Uuid::now_v7());
    let account = Account { id, name: "default".parse().unwrap(), created_at: SystemClock.now() };
    assert!(store.insert_account(&account).await.unwrap());
    id
}

/// A thought of the human user, one second later than the one of the number before.
pub(crate) fn stored(text: &str, number: i64) -> Piece {
    let at = Time::from_micros(1_700_000_000_000_000 + number * 1_000_000);
    Piece::Thought(Thought {
        id: ThoughtId::from_uuid(Uuid::now_v7()),
        raw_text: ThoughtText::new(text).unwrap(),
        status: Status::Open,
        category: Category::Observation,
        author: Author::User,
        created_at: at,
        captured_at: at,
        updated_at: at,
        revision: 0,
    })
}
