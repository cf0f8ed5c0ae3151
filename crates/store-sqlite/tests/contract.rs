//! The store's contract, on SQLite files.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use tempfile::TempDir;

use model::SystemClock;
use store::Store;
use store_contract::UnderTest;

/// A folder that is gone afterwards.
struct Folder(TempDir);

fn folder() -> Box<dyn UnderTest> {
    Box::new(Folder(tempfile::tempdir().unwrap()))
}

#[async_trait]
impl UnderTest for Folder {
    async fn fresh(&self) -> Box<dyn UnderTest> {
        folder()
    }

    async fn open(&self) -> Arc<dyn Store> {
        self.open_copy(&self.0.path().join("data")).await
    }

    async fn open_copy(&self, folder: &Path) -> Arc<dyn Store> {
        afterthought_store_sqlite::open(folder, Arc::new(SystemClock), afterthought_store_sqlite::OPEN_ACCOUNTS)
            .await
            .unwrap()
    }
}

store_contract::contract!(crate::folder);
