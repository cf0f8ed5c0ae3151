//! What ties a password to the encrypted connection it is shown on, so that nobody in between can use it: the hash of the server's
//! certificate, `tls-server-end-point` of RFC 5929.

use tokio_rustls::rustls::crypto::ring::cipher_suite::{TLS13_AES_128_GCM_SHA256, TLS13_AES_256_GCM_SHA384};

/// The hash of a certificate, by the function that its signature uses; `None` where that is none we have, as SHA-512, or is not defined, as
/// for Ed25519.
pub(super) fn end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    let suite = match signature(certificate)? {
        // MD5 and SHA-1 count as SHA-256 here, with RSA and with ECDSA.
        [.., 0xf7, 0x0d, 0x01, 0x01, 0x04 | 0x05 | 0x0b] | [.., 0x3d, 0x04, 0x01] | [.., 0x3d, 0x04, 0x03, 0x02] => {
            TLS13_AES_128_GCM_SHA256
        }
        [.., 0xf7, 0x0d, 0x01, 0x01, 0x0c] | [.., 0x3d, 0x04, 0x03, 0x03] => TLS13_AES_256_GCM_SHA384,
        _ => return None,
    };
    Some(suite.tls13()?.common.hash_provider.hash(certificate).as_ref().to_vec())
}

/// The number of the algorithm that a certificate is signed by: the first part of its second part.
fn signature(certificate: &[u8]) -> Option<&[u8]> {
    let (whole, _) = part(certificate)?;
    let (_, after_contents) = part(whole)?;
    let (algorithm, _) = part(after_contents)?;
    Some(part(algorithm)?.0)
}

/// The contents of the first part of some DER, and what follows it.
fn part(der: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&short, rest) = der.get(1..)?.split_first()?;
    let (length, rest) = match short {
        0..0x80 => (usize::from(short), rest),
        _ => {
            let (bytes, rest) = rest.split_at_checked(usize::from(short & 0x7f))?;
            let fits = bytes.len() <= size_of::<u32>();
            (bytes.iter().filter(|_| fits).fold(0, |length, byte| length << 8 | usize::from(*byte)), rest)
        }
    };
    rest.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A certificate but for what nobody looks at here: contents as long as given, and an algorithm.
    fn certificate(contents: usize, algorithm: &[u8]) -> Vec<u8> {
        let wrapped = |tag: u8, inner: &[u8]| {
            let length = u16::try_from(inner.len()).unwrap().to_be_bytes();
            [&[tag, 0x82][..], &length, inner].concat()
        };
        let algorithm = wrapped(0x30, &[&[0x06, algorithm.len() as u8], algorithm].concat());
        wrapped(0x30, &[wrapped(0x30, &vec![7; contents]), algorithm].concat())
    }

    #[test]
    fn the_hash_is_that_of_the_signature() {
        let ecdsa = |last: u8| vec![0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, last];
        let rsa = |last: u8| vec![0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, last];
        let length = |algorithm: &[u8]| end_point(&certificate(300, algorithm)).map(|hash| hash.len());
        for (algorithm, bytes) in [(ecdsa(2), 32), (ecdsa(3), 48), (rsa(0x05), 32), (rsa(0x0b), 32), (rsa(0x0c), 48)] {
            assert_eq!(length(&algorithm), Some(bytes), "{algorithm:x?}");
        }
        for algorithm in [ecdsa(4), rsa(0x0d), rsa(0x0a), vec![0x2b, 0x65, 0x70]] {
            assert_eq!(length(&algorithm), None, "{algorithm:x?}");
        }
    }

    #[test]
    fn what_is_no_certificate_has_none() {
        let whole = certificate(40, &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]);
        for end in 0..whole.len() {
            assert_eq!(end_point(&whole[..end]), None, "{end}");
        }
        assert_eq!(end_point(&[0x30, 0xff, 1, 2, 3]), None);
    }
}
