//! Encrypted connections, to a server whose certificate is right, for another name, or of an authority nobody knows.
//!
//! The server of the tests is built without encryption, so a small program before it encrypts for it, as the protocol says.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use afterthought_store_postgres::{Settings, open};
use model::SystemClock;
use store::StoreError;
use test_postgres::Server;

/// Makes an authority, and a certificate of it for `localhost`.
fn certificates(folder: &Path) -> (PathBuf, TlsAcceptor) {
    let run = |arguments: &str| {
        let mut command = Command::new("openssl");
        command.args(arguments.split(' ')).current_dir(folder);
        let output = command.output().unwrap_or_else(|error| panic!("this test needs openssl: {error}"));
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    run(&format!("req -x509 {key} -keyout root.key -out root.crt -days 2 -subj /CN=authority"));
    run(&format!("req {key} -keyout server.key -out server.csr -subj /CN=localhost"));
    std::fs::write(folder.join("names"), "subjectAltName=DNS:localhost").unwrap();
    run("x509 -req -in server.csr -CA root.crt -CAkey root.key -CAcreateserial -out server.crt -days 2 -extfile names");
    let certificate = CertificateDer::from_pem_file(folder.join("server.crt")).unwrap();
    let key = PrivateKeyDer::from_pem_file(folder.join("server.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    (folder.join("root.crt"), TlsAcceptor::from(Arc::new(config)))
}

/// What asks a server for encryption: its length, 8, and a number that means so.
const ASKS_FOR_ENCRYPTION: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// Encrypts for a server without encryption, and sends away whoever does not ask for it; the port where.
async fn encrypting(acceptor: TlsAcceptor, server: String) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let (acceptor, server) = (acceptor.clone(), server.clone());
            tokio::spawn(async move {
                let mut asked = [0; 8];
                client.read_exact(&mut asked).await.ok().filter(|_| asked == ASKS_FOR_ENCRYPTION)?;
                client.write_all(b"S").await.ok()?;
                let mut encrypted = acceptor.accept(client).await.ok()?;
                let mut plain = TcpStream::connect(server).await.ok()?;
                copy_bidirectional(&mut encrypted, &mut plain).await.ok()
            });
        }
    });
    port
}

async fn opened(port: u16, host: &str, options: &str) -> Result<(), StoreError> {
    let address = format!("postgres://postgres@{host}:{port}/postgres?{options}").parse().unwrap();
    open(&Settings { address, schema: "afterthought".parse().unwrap(), connections: 2 }, Arc::new(SystemClock))
        .await
        .map(drop)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_sslmode_asks_for_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let (root, acceptor) = certificates(folder.path());
    let server = Server::start(&test_postgres::Settings::default());
    let port = encrypting(acceptor, format!("127.0.0.1:{}", server.port())).await;
    let root = format!("sslrootcert={}", root.display());
    assert!(opened(port, "127.0.0.1", "sslmode=disable").await.is_err());
    opened(port, "127.0.0.1", "sslmode=prefer").await.unwrap();
    opened(port, "127.0.0.1", "sslmode=require").await.unwrap();
    opened(port, "localhost", &format!("sslmode=verify-full&{root}")).await.unwrap();
    // Signed by the authority, for another name.
    opened(port, "127.0.0.1", &format!("sslmode=verify-ca&{root}")).await.unwrap();
    let refused = opened(port, "127.0.0.1", &format!("sslmode=verify-full&{root}")).await.unwrap_err().to_string();
    assert!(refused.contains("not valid for name"), "{refused}");
    // Signed by nobody the world knows.
    for mode in ["verify-ca", "verify-full"] {
        let options = format!("sslmode={mode}&sslrootcert=system");
        let refused = opened(port, "localhost", &options).await.unwrap_err().to_string();
        assert!(refused.contains("UnknownIssuer"), "{mode}: {refused}");
    }
    let missing = opened(port, "localhost", "sslmode=verify-full&sslrootcert=/nowhere/root.crt").await.unwrap_err();
    assert!(missing.to_string().contains("`/nowhere/root.crt` cannot be read"), "{missing}");
}
