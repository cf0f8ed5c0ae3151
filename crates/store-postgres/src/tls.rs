//! Encryption of a connection, and what of the server's certificate is checked.

mod binding;
mod identity;

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect};
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use tokio_rustls::{Connect, TlsConnector};

use store::StoreError;

pub(crate) use identity::Identity;

/// What of a server's certificate is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Checks {
    /// Nothing: nobody can listen, but who answers is not known.
    Nothing,
    /// That one of these has signed it.
    Authority(Roots),
    /// The same, and that it is for the host that was asked for.
    Everything(Roots),
}

/// Whose signatures count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Roots {
    /// Those that browsers trust.
    WellKnown,
    /// Those in a file.
    File(PathBuf),
}

impl Roots {
    /// What `sslrootcert` names.
    pub(crate) fn named(name: String) -> Self {
        if name == "system" { Self::WellKnown } else { Self::File(PathBuf::from(name)) }
    }

    /// The file that libpq looks for where nothing is named, if it is there.
    pub(crate) fn of_user() -> Option<Self> {
        let path = PathBuf::from(std::env::var_os("HOME")?).join(".postgresql/root.crt");
        path.exists().then_some(Self::File(path))
    }

    fn read(&self) -> Result<RootCertStore, StoreError> {
        let mut roots = RootCertStore::empty();
        match self {
            Self::WellKnown => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
            Self::File(path) => {
                let unreadable = |why: String| {
                    StoreError::backend(format!("the certificates in `{}` cannot be read: {why}", path.display()))
                };
                let certificates =
                    CertificateDer::pem_file_iter(path).map_err(|error| unreadable(error.to_string()))?;
                for certificate in certificates {
                    let certificate = certificate.map_err(|error| unreadable(error.to_string()))?;
                    roots.add(certificate).map_err(|error| unreadable(error.to_string()))?;
                }
                if roots.is_empty() {
                    return Err(unreadable("there are none".to_owned()));
                }
            }
        }
        Ok(roots)
    }
}

/// Encrypts connections.
#[derive(Clone)]
pub(crate) struct Tls(TlsConnector);

impl Tls {
    pub(crate) fn new(checks: &Checks, identity: Option<&Identity>) -> Result<Self, StoreError> {
        let provider = Arc::new(ring::default_provider());
        let verifier: Arc<dyn ServerCertVerifier> = match checks {
            Checks::Nothing => Arc::new(AnyCertificate(provider.clone())),
            Checks::Authority(roots) => Arc::new(AnyName(verifier(roots, &provider)?)),
            Checks::Everything(roots) => verifier(roots, &provider)?,
        };
        let config = ClientConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(StoreError::backend)?
            .dangerous()
            .with_custom_certificate_verifier(verifier);
        let mut config = match identity {
            Some(identity) => config.with_client_cert_resolver(Arc::new(identity.read(&provider)?)),
            None => config.with_no_client_auth(),
        };
        // Asked for by servers that encrypt from the first byte on.
        config.alpn_protocols = vec![b"postgresql".to_vec()];
        Ok(Self(TlsConnector::from(Arc::new(config))))
    }
}

fn verifier(roots: &Roots, provider: &Arc<CryptoProvider>) -> Result<Arc<WebPkiServerVerifier>, StoreError> {
    let roots = Arc::new(roots.read()?);
    WebPkiServerVerifier::builder_with_provider(roots, provider.clone()).build().map_err(StoreError::backend)
}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = Encrypted;
    type TlsConnect = TlsTo;
    type Error = tokio_rustls::rustls::pki_types::InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> Result<TlsTo, Self::Error> {
        Ok(TlsTo { connector: self.0.clone(), host: ServerName::try_from(host.to_owned())? })
    }
}

/// Encrypts one connection to a host.
pub(crate) struct TlsTo {
    connector: TlsConnector,
    host: ServerName<'static>,
}

impl TlsConnect<Socket> for TlsTo {
    type Stream = Encrypted;
    type Error = io::Error;
    type Future = Encrypting;

    fn connect(self, stream: Socket) -> Encrypting {
        Encrypting(self.connector.connect(self.host, stream))
    }
}

/// A connection that is being encrypted.
pub(crate) struct Encrypting(Connect<Socket>);

impl Future for Encrypting {
    type Output = io::Result<Encrypted>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context).map_ok(Encrypted)
    }
}

/// An encrypted connection.
pub(crate) struct Encrypted(TlsStream<Socket>);

impl tokio_postgres::tls::TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        let (_, session) = self.0.get_ref();
        let certificate = session.peer_certificates().and_then(|certificates| certificates.first());
        let end_point = certificate.and_then(|certificate| binding::end_point(certificate));
        end_point.map_or_else(ChannelBinding::none, ChannelBinding::tls_server_end_point)
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

/// Takes whichever certificate has the key that the server signs with.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _certificate: &CertificateDer<'_>,
        _others: &[CertificateDer<'_>],
        _host: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// Checks who signed a certificate and not whom it is for.
#[derive(Debug)]
struct AnyName(Arc<WebPkiServerVerifier>);

impl ServerCertVerifier for AnyName {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        host: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        use CertificateError::{NotValidForName, NotValidForNameContext};
        match self.0.verify_server_cert(certificate, others, host, ocsp, now) {
            // The name is looked at last, when everything else was found in order.
            Err(Error::InvalidCertificate(NotValidForName | NotValidForNameContext { .. })) => {
                Ok(ServerCertVerified::assertion())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}
