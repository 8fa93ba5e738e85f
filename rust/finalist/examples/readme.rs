// SPDX-License-Identifier: MIT OR Apache-2.0
use finalist::{Algorithm, Hasher, Params, hash};

fn main() -> Result<(), finalist::Error> {
    let params = Params::new().digest_bytes(32);

    // In one call.
    let digest = hash(Algorithm::Blake2b, &params, b"abc")?;

    // Piece by piece.
    let mut hasher = Hasher::new(Algorithm::Blake2b, &params)?;
    hasher.update(b"a")?;
    hasher.update(b"bc")?;
    assert_eq!(hasher.finalize()?, digest);
    Ok(())
}
