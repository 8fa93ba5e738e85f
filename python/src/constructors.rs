// SPDX-License-Identifier: MIT OR Apache-2.0
//! A class for each algorithm, whose constructor takes what the algorithm takes.

use finalist::Algorithm;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::hash::{Hash, UNKNOWN, identifier, to_hex};
use crate::parameters::{Argument, Parameters, TreeArguments};

/// The class of an algorithm around what all classes do.
macro_rules! class {
    ($class:ident $name:literal $($doc:literal)*) => {
        $(#[doc = $doc])*
        #[pyclass(extends = Hash, frozen, module = "finalist", name = $name)]
        pub struct $class;

        impl $class {
            fn wrap(py: Python<'_>, hash: Hash) -> PyResult<Bound<'_, PyAny>> {
                let object = PyClassInitializer::from(hash).add_subclass($class);
                Ok(Bound::new(py, object)?.into_any())
            }

            fn start(
                parameters: &Parameters,
                data: Argument<'_, '_>,
                threads: i64,
            ) -> PyResult<PyClassInitializer<$class>> {
                let hash = Hash::start(parameters, data, threads, $class::wrap)?;
                Ok(PyClassInitializer::from(hash).add_subclass($class))
            }
        }
    };
}

macro_rules! blake {
    ($($class:ident $name:literal $title:literal)*) => {$(
        class! { $class $name $title
            ""
            "salt is empty or exactly SALT_SIZE bytes (else ValueError). data is any bytes-like"
            "object (else TypeError; str has to be encoded first)."
            ""
            "Source: SHA-3 proposal BLAKE, by Aumasson, Henzen, Meier and Phan."
        }

        #[pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = (data=Argument::ABSENT, /, *, salt=Argument::ABSENT, usedforsecurity=true),
                   text_signature = "(data=b'', /, *, salt=b'', usedforsecurity=True)")]
            fn new(
                data: Argument<'_, '_>,
                salt: Argument<'_, '_>,
                #[allow(unused_variables)] usedforsecurity: bool,
            ) -> PyResult<PyClassInitializer<$class>> {
                let parameters = Parameters::new(Algorithm::$class).secrets(Argument::ABSENT, salt, Argument::ABSENT)?;
                $class::start(&parameters, data, 1)
            }
        }
    )*};
}

blake! {
    Blake224 "blake224" "BLAKE-224, SHA-3 final round (14 rounds)."
    Blake256 "blake256" "BLAKE-256, SHA-3 final round (14 rounds)."
    Blake384 "blake384" "BLAKE-384, SHA-3 final round (16 rounds)."
    Blake512 "blake512" "BLAKE-512, SHA-3 final round (16 rounds)."
    Blake28 "blake28" "BLAKE-28, first submission (10 rounds)."
    Blake32 "blake32" "BLAKE-32, first submission (10 rounds)."
    Blake48 "blake48" "BLAKE-48, first submission (14 rounds)."
    Blake64 "blake64" "BLAKE-64, first submission (14 rounds)."
}

macro_rules! blake2 {
    ($($class:ident $name:literal $title:literal $signature:literal)*) => {$(
        class! { $class $name $title
            ""
            "digest_size is 1 to MAX_DIGEST_SIZE bytes, key up to MAX_KEY_SIZE, salt up to SALT_SIZE,"
            "person up to PERSON_SIZE; the others are the parameters of one node of a tree. Lengths"
            "and numbers out of range: ValueError or OverflowError, as hashlib."
            ""
            "Source: RFC 7693; BLAKE2 paper of 2013-01-29, section 2.10, for the tree."
        }

        #[pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = (data=Argument::ABSENT, /, *, digest_size=Argument::ABSENT, key=Argument::ABSENT, salt=Argument::ABSENT, person=Argument::ABSENT,
                                fanout=Argument::ABSENT, depth=Argument::ABSENT, leaf_size=Argument::ABSENT, node_offset=Argument::ABSENT,
                                node_depth=Argument::ABSENT, inner_size=Argument::ABSENT, last_node=false,
                                usedforsecurity=true),
                   text_signature = $signature)]
            #[allow(clippy::too_many_arguments)]
            fn new(
                data: Argument<'_, '_>,
                digest_size: Argument<'_, '_>,
                key: Argument<'_, '_>,
                salt: Argument<'_, '_>,
                person: Argument<'_, '_>,
                fanout: Argument<'_, '_>,
                depth: Argument<'_, '_>,
                leaf_size: Argument<'_, '_>,
                node_offset: Argument<'_, '_>,
                node_depth: Argument<'_, '_>,
                inner_size: Argument<'_, '_>,
                last_node: bool,
                #[allow(unused_variables)] usedforsecurity: bool,
            ) -> PyResult<PyClassInitializer<$class>> {
                let tree = TreeArguments {
                    fanout, depth, leaf_size, node_offset, node_depth, inner_size, last_node,
                };
                let mut parameters = Parameters::new(Algorithm::$class)
                    .digest_size(digest_size)?
                    .secrets(key, salt, person)?;
                if let Some(tree) = tree.check(Algorithm::$class)? {
                    parameters = parameters.tree(tree);
                }
                $class::start(&parameters, data, 1)
            }
        }
    )*};
}

blake2! {
    Blake2b "blake2b" "BLAKE2b, for 64-bit machines."
        "(data=b'', /, *, digest_size=64, key=b'', salt=b'', person=b'', fanout=1, depth=1, \
         leaf_size=0, node_offset=0, node_depth=0, inner_size=0, last_node=False, \
         usedforsecurity=True)"
    Blake2s "blake2s" "BLAKE2s, for 8- to 32-bit machines, and the fastest here for many messages."
        "(data=b'', /, *, digest_size=32, key=b'', salt=b'', person=b'', fanout=1, depth=1, \
         leaf_size=0, node_offset=0, node_depth=0, inner_size=0, last_node=False, \
         usedforsecurity=True)"
}

macro_rules! blake2p {
    ($($class:ident $name:literal $title:literal $signature:literal)*) => {$(
        class! { $class $name $title
            ""
            "digest_size is 1 to MAX_DIGEST_SIZE bytes, key up to MAX_KEY_SIZE, salt up to SALT_SIZE,"
            "person up to PERSON_SIZE (else ValueError). The digest does not depend on threads: so"
            "many advance the leaves of updates of at least 1 MiB."
            ""
            "Source: BLAKE2 paper of 2013-01-29, section 2.10 and the reference code."
        }

        #[pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = (data=Argument::ABSENT, /, *, digest_size=Argument::ABSENT, key=Argument::ABSENT, salt=Argument::ABSENT, person=Argument::ABSENT,
                                threads=1, usedforsecurity=true),
                   text_signature = $signature)]
            #[allow(clippy::too_many_arguments)]
            fn new(
                data: Argument<'_, '_>,
                digest_size: Argument<'_, '_>,
                key: Argument<'_, '_>,
                salt: Argument<'_, '_>,
                person: Argument<'_, '_>,
                threads: i64,
                #[allow(unused_variables)] usedforsecurity: bool,
            ) -> PyResult<PyClassInitializer<$class>> {
                let parameters = Parameters::new(Algorithm::$class)
                    .digest_size(digest_size)?
                    .secrets(key, salt, person)?;
                $class::start(&parameters, data, threads)
            }
        }
    )*};
}

blake2p! {
    Blake2bp "blake2bp" "BLAKE2bp: four leaves of BLAKE2b and a root."
        "(data=b'', /, *, digest_size=64, key=b'', salt=b'', person=b'', threads=1, \
         usedforsecurity=True)"
    Blake2sp "blake2sp" "BLAKE2sp: eight leaves of BLAKE2s and a root."
        "(data=b'', /, *, digest_size=32, key=b'', salt=b'', person=b'', threads=1, \
         usedforsecurity=True)"
}

macro_rules! blake2x {
    ($($class:ident $name:literal $title:literal)*) => {$(
        class! { $class $name $title
            ""
            "Without digest_size the output is of a length not known in advance, and digest(length)"
            "gives its first bytes, as SHAKE's does. With digest_size, which is part of what is"
            "hashed, digest() gives all of it. key up to MAX_KEY_SIZE, salt up to SALT_SIZE, person"
            "up to PERSON_SIZE bytes (else ValueError)."
            ""
            "Source: BLAKE2X paper, by Aumasson, Neves, Wilcox-O'Hearn and Winnerlein."
        }

        #[pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = (data=Argument::ABSENT, /, *, digest_size=Argument::ABSENT, key=Argument::ABSENT, salt=Argument::ABSENT, person=Argument::ABSENT,
                                usedforsecurity=true),
                   text_signature = "(data=b'', /, *, digest_size=None, key=b'', salt=b'', \
                                     person=b'', usedforsecurity=True)")]
            fn new(
                data: Argument<'_, '_>,
                digest_size: Argument<'_, '_>,
                key: Argument<'_, '_>,
                salt: Argument<'_, '_>,
                person: Argument<'_, '_>,
                #[allow(unused_variables)] usedforsecurity: bool,
            ) -> PyResult<PyClassInitializer<$class>> {
                let mut parameters = Parameters::new(Algorithm::$class)
                    .digest_size(digest_size.or_none())?
                    .secrets(key, salt, person)?;
                if parameters.digest_bytes == 0 {
                    parameters.digest_bytes = UNKNOWN;
                }
                $class::start(&parameters, data, 1)
            }

            /// The first length bytes of the output; without a length all digest_size of them.
            #[pyo3(signature = (length=None, /))]
            fn digest<'py>(
                slf: PyRef<'py, Self>,
                length: Option<i64>,
            ) -> PyResult<Bound<'py, PyBytes>> {
                slf.as_super().squeeze(slf.py(), length)
            }

            /// As digest, in hexadecimal digits.
            #[pyo3(signature = (length=None, /))]
            fn hexdigest(slf: PyRef<'_, Self>, length: Option<i64>) -> PyResult<String> {
                Ok(to_hex(slf.as_super().squeeze(slf.py(), length)?.as_bytes()))
            }
        }
    )*};
}

blake2x! {
    Blake2xb "blake2xb" "BLAKE2Xb: output of any length up to 2**32 - 2 bytes, from BLAKE2b."
    Blake2xs "blake2xs" "BLAKE2Xs: output of any length up to 2**16 - 2 bytes, from BLAKE2s."
}

macro_rules! groestl {
    ($($class:ident $name:literal $title:literal $signature:literal)*) => {$(
        class! { $class $name $title
            ""
            "digest_size is 1 to MAX_DIGEST_SIZE bytes (else ValueError); a shorter one is a function"
            "of its own, no truncation. data is any bytes-like object (else TypeError)."
            ""
            "Source: SHA-3 proposal Groestl, by Gauravaram, Knudsen, Matusiewicz, Mendel,"
            "Rechberger, Schlaeffer and Thomsen."
        }

        #[pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = (data=Argument::ABSENT, /, *, digest_size=Argument::ABSENT, usedforsecurity=true),
                   text_signature = $signature)]
            fn new(
                data: Argument<'_, '_>,
                digest_size: Argument<'_, '_>,
                #[allow(unused_variables)] usedforsecurity: bool,
            ) -> PyResult<PyClassInitializer<$class>> {
                let parameters = Parameters::new(Algorithm::$class).digest_size(digest_size)?;
                $class::start(&parameters, data, 1)
            }
        }
    )*};
}

groestl! {
    Groestl224 "groestl224" "Groestl-224, SHA-3 final round."
        "(data=b'', /, *, digest_size=28, usedforsecurity=True)"
    Groestl256 "groestl256" "Groestl-256, SHA-3 final round."
        "(data=b'', /, *, digest_size=32, usedforsecurity=True)"
    Groestl384 "groestl384" "Groestl-384, SHA-3 final round."
        "(data=b'', /, *, digest_size=48, usedforsecurity=True)"
    Groestl512 "groestl512" "Groestl-512, SHA-3 final round."
        "(data=b'', /, *, digest_size=64, usedforsecurity=True)"
    Groestl0_224 "groestl0_224" "Groestl-224, first submission."
        "(data=b'', /, *, digest_size=28, usedforsecurity=True)"
    Groestl0_256 "groestl0_256" "Groestl-256, first submission."
        "(data=b'', /, *, digest_size=32, usedforsecurity=True)"
    Groestl0_384 "groestl0_384" "Groestl-384, first submission."
        "(data=b'', /, *, digest_size=48, usedforsecurity=True)"
    Groestl0_512 "groestl0_512" "Groestl-512, first submission."
        "(data=b'', /, *, digest_size=64, usedforsecurity=True)"
}

/// The class of every algorithm.
macro_rules! classes {
    ($py:ident, $algorithm:ident: $($class:ident)*) => {
        match $algorithm {
            $(Algorithm::$class => Some($py.get_type::<$class>()),)*
            _ => None,
        }
    };
}

pub fn class_of(py: Python<'_>, algorithm: Algorithm) -> Option<Bound<'_, PyType>> {
    classes! { py, algorithm:
        Blake224 Blake256 Blake384 Blake512 Blake28 Blake32 Blake48 Blake64
        Blake2b Blake2s Blake2bp Blake2sp Blake2xb Blake2xs
        Groestl224 Groestl256 Groestl384 Groestl512
        Groestl0_224 Groestl0_256 Groestl0_384 Groestl0_512
    }
}

/// Adds the classes to the module, with hashlib's constants of what each takes.
pub fn add_classes(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Hash>()?;
    for &algorithm in Algorithm::all() {
        let Some(class) = class_of(module.py(), algorithm) else {
            continue;
        };
        let info = algorithm.info();
        class.setattr("MAX_DIGEST_SIZE", info.digest_bytes_max)?;
        class.setattr("MAX_KEY_SIZE", info.key_bytes_max)?;
        class.setattr("SALT_SIZE", info.salt_bytes)?;
        class.setattr("PERSON_SIZE", info.personal_bytes)?;
        module.add(identifier(algorithm).as_str(), class)?;
    }
    Ok(())
}
