//! Encrypted connections, to a server whose certificate is right, for another name, or of an authority nobody knows.
//!
//! The current server of the tests is built without encryption, so a small program before it encrypts for it, as the protocol says. The
//! oldest can encrypt, and asks for certificates and binds passwords to the connection.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

use std::os::unix::fs::PermissionsExt;
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
use test_postgres::{Server, Version};

fn openssl(folder: &Path, arguments: &str) {
    let mut command = Command::new("openssl");
    command.args(arguments.split(' ')).current_dir(folder);
    let output = command.output().unwrap_or_else(|error| panic!("this test needs openssl: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Makes an authority, and a certificate of it for `localhost`.
fn certificates(folder: &Path) -> (PathBuf, TlsAcceptor) {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(folder, &format!("req -x509 {key} -keyout root.key -out root.crt -days 2 -subj /CN=authority"));
    openssl(folder, &format!("req {key} -keyout server.key -out server.csr -subj /CN=localhost"));
    std::fs::write(folder.join("names"), "subjectAltName=DNS:localhost").unwrap();
    openssl(
        folder,
        "x509 -req -in server.csr -CA root.crt -CAkey root.key -CAcreateserial -out server.crt -days 2 -extfile names",
    );
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

/// Makes a certificate of the authority in the folder, or of one that nobody knows, for a user of the database.
fn certificate_for(folder: &Path, user: &str, authority: &str) {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    if !folder.join(format!("{authority}.crt")).exists() {
        openssl(
            folder,
            &format!("req -x509 {key} -keyout {authority}.key -out {authority}.crt -days 2 -subj /CN=other"),
        );
    }
    openssl(folder, &format!("req {key} -keyout {user}.key -out {user}.csr -subj /CN={user}"));
    let signed = format!("-CA {authority}.crt -CAkey {authority}.key -CAcreateserial -days 2");
    openssl(folder, &format!("x509 -req -in {user}.csr {signed} -out {user}.crt"));
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
    opened_by("postgres", port, host, options).await
}

async fn opened_by(user: &str, port: u16, host: &str, options: &str) -> Result<(), StoreError> {
    let address = format!("postgres://{user}@{host}:{port}/postgres?{options}").parse().unwrap();
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

/// A server that encrypts: `ana` gets in by her certificate, `ben` by his password.
async fn asking_server(folder: &Path) -> Server {
    let read = |name: &str| (name.to_owned(), std::fs::read_to_string(folder.join(name)).unwrap());
    let lines = ["ssl = on", "ssl_cert_file = 'server.crt'", "ssl_key_file = 'server.key'", "ssl_ca_file = 'root.crt'"];
    let access = [
        "hostssl all ana 127.0.0.1/32 cert",
        "host all ben 127.0.0.1/32 scram-sha-256",
        "host all ana 127.0.0.1/32 reject",
    ];
    let server = Server::start(&test_postgres::Settings {
        version: Version::Oldest,
        configuration: lines.map(str::to_owned).to_vec(),
        access: access.map(str::to_owned).to_vec(),
        files: ["server.crt", "server.key", "root.crt"].map(read).to_vec(),
    });
    let (client, connection) = tokio_postgres::connect(&server.address(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let roles = "CREATE ROLE ana LOGIN SUPERUSER; CREATE ROLE ben LOGIN SUPERUSER PASSWORD 's3cret'";
    client.batch_execute(roles).await.unwrap();
    server
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_asks_who_we_are_is_shown_our_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let (root, _) = certificates(folder.path());
    let server = asking_server(folder.path()).await;
    certificate_for(folder.path(), "ana", "root");
    certificate_for(folder.path(), "stranger", "unknown");
    let place = folder.path().display();
    let checked = format!("sslmode=verify-full&sslrootcert={}", root.display());
    let shown = |who: &str| format!("{checked}&sslcert={place}/{who}.crt&sslkey={place}/{who}.key");
    let by_ana = async |options: String| opened_by("ana", server.port(), "localhost", &options).await;
    by_ana(shown("ana")).await.unwrap();
    assert!(by_ana(checked.clone()).await.is_err(), "without one nobody gets in");
    assert!(by_ana(shown("stranger")).await.is_err(), "nor with one of an authority the server does not know");
    let mixed = format!("{checked}&sslcert={place}/server.crt&sslkey={place}/stranger.key");
    let refused = by_ana(mixed).await.unwrap_err().to_string();
    assert!(refused.contains("does not belong to the certificate"), "{refused}");
    openssl(folder.path(), "ec -in ana.key -aes128 -passout pass:s3cret -out ana.locked");
    let locked = format!("{checked}&sslcert={place}/ana.crt&sslkey={place}/ana.locked");
    let refused = by_ana(locked).await.unwrap_err().to_string();
    assert!(refused.contains("not encrypted") && refused.contains("ana.locked"), "{refused}");
    std::fs::set_permissions(folder.path().join("ana.key"), std::fs::Permissions::from_mode(0o644)).unwrap();
    let refused = by_ana(shown("ana")).await.unwrap_err().to_string();
    assert!(refused.contains("chmod 600"), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_password_can_be_bound_to_the_connection_it_is_shown_on() {
    let folder = tempfile::tempdir().unwrap();
    let (root, acceptor) = certificates(folder.path());
    let server = asking_server(folder.path()).await;
    let bound = "sslmode=require&channel_binding=require&password=s3cret";
    opened_by("ben", server.port(), "127.0.0.1", bound).await.unwrap();
    opened_by("ben", server.port(), "127.0.0.1", "sslmode=require&password=s3cret").await.unwrap();
    // Somebody in between who encrypts as well, and would hand the password on.
    let between = encrypting(acceptor, format!("127.0.0.1:{}", server.port())).await;
    let trusting = format!("sslmode=verify-ca&sslrootcert={}&password=s3cret", root.display());
    opened_by("ben", between, "localhost", &trusting).await.unwrap();
    assert!(opened_by("ben", between, "localhost", bound).await.is_err());
    let plain = "sslmode=disable&channel_binding=require&password=s3cret";
    assert!(opened_by("ben", server.port(), "127.0.0.1", plain).await.is_err());
}
