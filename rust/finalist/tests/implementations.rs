// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the registry. Selections affect the whole process, so one test makes all of them, in
//! order.

use std::error::Error as _;

use finalist::{
    Algorithm, EnvironmentError, Error, Params, check_environment, cpu_features, hash,
    implementations, select, selected,
};

#[test]
fn selection() {
    assert_eq!(check_environment(), Ok(()));
    let all = implementations();
    assert_eq!((all[0].algorithm, all[0].name), ("blake256", "portable"));
    assert!(all.iter().all(|row| row.bound_cycles != Some(0)));
    for row in &all {
        assert!(row.features.iter().all(|feature| !feature.is_empty()));
        assert!(row.block_bytes == 64 || row.block_bytes == 128, "{row:?}");
        assert!(
            row.lanes >= 1 && !row.technique.is_empty() && !row.source.is_empty(),
            "{row:?}"
        );
        assert!(
            row.constant_time || !row.selected,
            "not by default: {row:?}"
        );
    }
    for &algorithm in Algorithm::all() {
        let expected = hash(algorithm, &Params::new(), b"abc");
        let own = all
            .iter()
            .filter(|row| row.algorithm == algorithm.info().compression);
        let own: Vec<_> = own.filter(|row| row.mode == "single").collect();
        assert_eq!(
            own.iter().filter(|row| row.selected).count(),
            1,
            "{algorithm}"
        );
        let automatic = selected(algorithm);
        for row in own {
            let result = select(algorithm, Some(row.name));
            if row.supported {
                assert_eq!(result, Ok(()));
                assert_eq!(selected(algorithm), row.name);
                assert_eq!(hash(algorithm, &Params::new(), b"abc"), expected, "{row:?}");
            } else {
                assert_eq!(result, Err(Error::ImplementationUnsupported), "{row:?}");
            }
        }
        let before = selected(algorithm);
        // Names of any length, and one that a C string would truncate to a valid name.
        let long = "x".repeat(1000);
        let lengths = (1..=100).map(|bytes| &long[..bytes]);
        for unknown in ["", "nosuch", "port\0able", "portable\0", &long]
            .into_iter()
            .chain(lengths)
        {
            assert_eq!(
                select(algorithm, Some(unknown)),
                Err(Error::ImplementationUnknown)
            );
        }
        assert_eq!(selected(algorithm), before);
        assert_eq!(select(algorithm, None), Ok(()));
        assert_eq!(selected(algorithm), automatic);
    }
}

#[test]
fn descriptions_have_their_own_values() {
    for (name, technique, source, block_bytes) in [
        (
            "blake2b",
            "scalar C, 64-bit words",
            "RFC 7693, section 3.2",
            128,
        ),
        (
            "blake2s",
            "scalar C, 32-bit words",
            "RFC 7693, section 3.2",
            64,
        ),
    ] {
        let all = implementations();
        let mut of = all.iter().filter(|row| row.algorithm == name);
        let row = of.find(|row| row.name == "portable").expect("it is there");
        assert_eq!((row.technique, row.source), (technique, source));
        assert_eq!(row.block_bytes, block_bytes);
    }
    for (algorithm, bits, derive_key) in [
        (Algorithm::Blake256, true, false),
        (Algorithm::Blake2b, false, false),
        (Algorithm::Blake3, false, true),
        (Algorithm::Groestl512, true, false),
    ] {
        let info = algorithm.info();
        assert_eq!(
            (info.bits, info.derive_key),
            (bits, derive_key),
            "{algorithm}"
        );
    }
}

#[test]
fn features_are_names() {
    for feature in cpu_features() {
        assert!(
            feature.bytes().all(|byte| byte.is_ascii_graphic()),
            "{feature}"
        );
    }
}

#[test]
fn the_library_says_what_it_is() {
    assert_eq!(finalist::version(), env!("CARGO_PKG_VERSION"));
    assert!(!finalist::c_compiler().is_empty());
}

#[test]
fn a_wrong_item_of_the_environment_has_a_cause() {
    let wrong = EnvironmentError {
        variable: "FINALIST_CPU",
        item: "-x".to_owned(),
        error: Error::Environment,
    };
    assert_eq!(
        wrong.to_string(),
        format!("FINALIST_CPU: '-x': {}", Error::Environment)
    );
    let source = wrong.source().and_then(|source| source.downcast_ref());
    assert_eq!(source, Some(&Error::Environment));
}
