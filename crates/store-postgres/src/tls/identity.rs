//! Who we are to a server that asks for a certificate.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use tokio_rustls::rustls::crypto::CryptoProvider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::sign::{CertifiedKey, SingleCertAndKey};
use tokio_rustls::rustls::{Error, InconsistentKeys};

use model::Invalid;
use store::StoreError;

/// A certificate and the key that belongs to it, by their files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    certificate: PathBuf,
    key: PathBuf,
}

impl Identity {
    /// What `sslcert` and `sslkey` name, or else the files that libpq looks for, if they are there.
    pub(crate) fn named(certificate: Option<String>, key: Option<String>) -> Result<Option<Self>, Invalid> {
        let of_user = |name: &str| {
            let path = PathBuf::from(std::env::var_os("HOME")?).join(".postgresql").join(name);
            path.exists().then_some(path)
        };
        let certificate = certificate.map(PathBuf::from).or_else(|| of_user("postgresql.crt"));
        let key = key.map(PathBuf::from).or_else(|| of_user("postgresql.key"));
        match (certificate, key) {
            (Some(certificate), Some(key)) => Ok(Some(Self { certificate, key })),
            // A key alone is of no use, and libpq does not mind one either.
            (None, _) => Ok(None),
            (Some(certificate), None) => Err(Invalid::new(format!(
                "the certificate `{}` has no key: name it by `sslkey`",
                certificate.display()
            ))),
        }
    }

    /// What is shown to a server: the certificate, with those that lead to an authority, and the key.
    pub(super) fn read(&self, provider: &CryptoProvider) -> Result<SingleCertAndKey, StoreError> {
        let Self { certificate, key } = self;
        refuse_if_others_may_read(key)?;
        let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect);
        let chain = chain.map_err(|error| unreadable("certificate", certificate, error))?;
        // One that is encrypted is none for the reader, and nobody is there to ask for its password.
        let not_a_key =
            |error: &dyn Display| unreadable("key", key, format!("{error}; it must be PEM and not encrypted"));
        let own = PrivateKeyDer::from_pem_file(key).map_err(|error| not_a_key(&error))?;
        let own = provider.key_provider.load_private_key(own).map_err(|error| not_a_key(&error))?;
        let shown = CertifiedKey::new(chain, own);
        // Of a certificate in the form of version 1, as `openssl` makes them, this cannot tell: the server will.
        if let Err(Error::InconsistentKeys(InconsistentKeys::KeyMismatch)) = shown.keys_match() {
            return Err(unreadable("key", key, "it does not belong to the certificate"));
        }
        Ok(SingleCertAndKey::from(shown))
    }
}

fn unreadable(what: &str, path: &Path, why: impl Display) -> StoreError {
    StoreError::backend(format!("the {what} in `{}` cannot be read: {why}", path.display()))
}

/// Refuses a key that is not its owner's alone, as libpq does; one of root's may be a group's.
#[cfg(unix)]
fn refuse_if_others_may_read(path: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::MetadataExt;
    let Ok(metadata) = std::fs::metadata(path) else { return Ok(()) };
    let allowed = if metadata.uid() == 0 { 0o640 } else { 0o600 };
    if metadata.mode() & 0o777 & !allowed == 0 {
        return Ok(());
    }
    let place = path.display();
    Err(StoreError::backend(format!("others may read the key `{place}`: run `chmod 600 {place}`")))
}

#[cfg(not(unix))]
fn refuse_if_others_may_read(_path: &Path) -> Result<(), StoreError> {
    Ok(())
}
