//! Which copies of the service run: told by the database, whichever copy asks.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

use std::sync::Arc;
use std::time::Duration;

use afterthought_store_postgres::{Settings, open};
use model::SystemClock;
use store::{RunningCopy, Store};
use test_postgres::Place;

async fn opened(place: &Place) -> Arc<dyn Store> {
    let (address, schema) = (place.address().parse().unwrap(), place.schema().parse().unwrap());
    open(&Settings { address, schema, connections: 2 }, Arc::new(SystemClock)).await.unwrap()
}

#[tokio::test]
async fn a_copy_is_known_to_the_others_for_as_long_as_it_says_so() {
    let place = Place::fresh();
    let (one, other) = (opened(&place).await, opened(&place).await);
    let copy = |number: u32| RunningCopy {
        instance: format!("instance {number}"),
        origin: format!("http://10.0.0.{number}:8720"),
        process: number,
    };
    let lately = Duration::from_secs(60);
    assert_eq!(other.copies(lately).await.unwrap(), []);
    one.announce(&copy(1)).await.unwrap();
    one.announce(&copy(2)).await.unwrap();
    one.announce(&copy(1)).await.unwrap();
    assert_eq!(other.copies(lately).await.unwrap(), [copy(1), copy(2)], "the latest first, each once");
    assert_eq!(other.copies(Duration::ZERO).await.unwrap(), [], "nobody has said so just now");
    one.withdraw("instance 1").await.unwrap();
    assert_eq!(other.copies(lately).await.unwrap(), [copy(2)]);
}
