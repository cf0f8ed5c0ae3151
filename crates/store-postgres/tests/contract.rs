//! The store's contract on a PostgreSQL database, of the current version and of the oldest that is supported.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;

use afterthought_store_postgres::{Settings, open};
use model::SystemClock;
use store::Store;
use store_contract::UnderTest;
use test_postgres::{Place, Version};

/// A schema of its own.
struct Schema(Place, Version);

fn schema(version: Version) -> Box<dyn UnderTest> {
    Box::new(Schema(Place::fresh_on(version), version))
}

#[async_trait]
impl UnderTest for Schema {
    async fn fresh(&self) -> Box<dyn UnderTest> {
        schema(self.1)
    }

    async fn open(&self) -> Arc<dyn Store> {
        let (address, schema) = (self.0.address().parse().unwrap(), self.0.schema().parse().unwrap());
        open(&Settings { address, schema, connections: 4 }, Arc::new(SystemClock)).await.unwrap()
    }

    async fn open_copy(&self, _folder: &Path) -> Arc<dyn Store> {
        panic!("a database is copied by its own tools")
    }
}

mod current {
    fn under_test() -> Box<dyn store_contract::UnderTest> {
        crate::schema(test_postgres::Version::Current)
    }

    store_contract::contract!(super::under_test);
}

mod oldest {
    fn under_test() -> Box<dyn store_contract::UnderTest> {
        crate::schema(test_postgres::Version::Oldest)
    }

    store_contract::contract!(super::under_test);
}
