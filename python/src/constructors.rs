// SPDX-License-Identifier: MIT OR Apache-2.0
//! A class for each algorithm, whose constructor takes the algorithm's parameters.

use std::path::PathBuf;
use std::thread::available_parallelism;

use finalist::Algorithm;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyType};

use crate::arrow::import::shown;
use crate::hash::{Hash, identifier, to_hex};
use crate::parameters::{Argument, Parameters, THREADS_MAX, TreeModeArguments, info_of};

const ABSENT: Argument<'static, 'static> = Argument::ABSENT;
/// Checks a number of threads as the package blake3 does.
const AUTO: i64 = -1;

/// Defines the class of an algorithm from its documentation, the constructor arguments between data
/// and usedforsecurity, their conversion to parameters and threads, and further methods.
macro_rules! class {
    (
        $class:ident $name:literal $title:literal $signature:literal
        [$($doc:literal)*]
        ($($argument:ident: $type:ty = $default:expr),*)
        ($algorithm:ident => $made:expr)
        {$($methods:tt)*}
    ) => {
        #[doc = $title]
        $(#[doc = $doc])*
        #[pyclass(extends = Hash, frozen, module = "finalist", name = $name)]
        pub struct $class;

        impl $class {
            fn wrap(py: Python<'_>, hash: Hash) -> PyResult<Bound<'_, PyAny>> {
                let object = PyClassInitializer::from(hash).add_subclass($class);
                Ok(Bound::new(py, object)?.into_any())
            }
        }

        #[pymethods]
        impl $class {
            #[new]
            #[pyo3(
                signature = (data=ABSENT, /, *, $($argument=$default,)* usedforsecurity=ABSENT,
                             **others),
                text_signature = $signature
            )]
            #[allow(clippy::too_many_arguments)]
            fn new<'py>(
                data: Argument<'_, 'py>,
                $($argument: $type,)*
                usedforsecurity: Argument<'_, '_>,
                others: Option<&Bound<'py, PyDict>>,
            ) -> PyResult<PyClassInitializer<$class>> {
                let $algorithm = Algorithm::$class;
                usedforsecurity.is_truthy(true)?;
                let named = match others {
                    Some(others) => data_by_name($name, data, others)?,
                    None => None,
                };
                let data = named.as_ref().map_or(data, |named| Argument(Some(named.as_borrowed())));
                let (parameters, threads) = $made;
                let hash = Hash::start(parameters, data, threads, $class::wrap)?;
                Ok(PyClassInitializer::from(hash).add_subclass($class))
            }

            $($methods)*
        }
    };
}

/// Returns the names of the data argument in the interpreter's hashlib.
fn names_of_data(py: Python<'_>) -> &'static [&'static str] {
    if py.version_info() >= (3, 13, 4) {
        &["data", "string"]
    } else {
        &[]
    }
}

/// Returns the data given as `data` or `string`, if hashlib accepts these names.
#[cold]
fn data_by_name<'py>(
    name: &str,
    data: Argument<'_, 'py>,
    others: &Bound<'py, PyDict>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let wrong = |text: String| Err(PyTypeError::new_err(text));
    let names = names_of_data(others.py());
    let given = |name| match names.contains(&name) {
        true => others.get_item(name),
        false => Ok(None),
    };
    let by_name = given("data")?;
    if data.0.is_some() && by_name.is_some() {
        return wrong(format!(
            "argument for {name}() given by name ('data') and position (1)"
        ));
    }
    for key in others.keys() {
        let key = key.cast::<PyString>()?.to_cow()?;
        if !names.contains(&&*key) {
            return wrong(format!(
                "{name}() got an unexpected keyword argument '{}'",
                shown(&key)
            ));
        }
    }
    let string = given("string")?;
    if string.is_some() && (data.0.is_some() || by_name.is_some()) {
        return wrong(
            "'data' and 'string' are mutually exclusive and support for 'string' keyword parameter \
             is slated for removal in a future version."
                .to_owned(),
        );
    }
    Ok(by_name.or(string))
}

/// Defines classes that differ only in algorithm, names and default length.
macro_rules! classes {
    (
        $doc:tt $arguments:tt $made:tt $methods:tt
        $($class:ident $name:literal $title:literal $signature:literal)*
    ) => {
        $(class! { $class $name $title $signature $doc $arguments $made $methods })*
    };
}

classes! {
    [
        ""
        "salt is empty or has exactly SALT_SIZE bytes (else ValueError). data is any bytes-like"
        "object (else TypeError; encode str first)."
        ""
        "Source: SHA-3 proposal BLAKE, by Aumasson, Henzen, Meier and Phan."
    ]
    (salt: Argument<'_, '_> = ABSENT)
    (algorithm => (Parameters::new(algorithm).secrets(ABSENT, salt, ABSENT)?, 1))
    {}
    Blake224 "blake224" "BLAKE-224, SHA-3 final round (14 rounds)."
        "(data=b'', /, *, salt=b'', usedforsecurity=True)"
    Blake256 "blake256" "BLAKE-256, SHA-3 final round (14 rounds)."
        "(data=b'', /, *, salt=b'', usedforsecurity=True)"
    Blake384 "blake384" "BLAKE-384, SHA-3 final round (16 rounds)."
        "(data=b'', /, *, salt=b'', usedforsecurity=True)"
    Blake512 "blake512" "BLAKE-512, SHA-3 final round (16 rounds)."
        "(data=b'', /, *, salt=b'', usedforsecurity=True)"
    Blake28 "blake28" "BLAKE-28, first submission (10 rounds)."
        "(data=b'', /, *, salt=b'', usedforsecurity=True)"
    Blake32 "blake32" "BLAKE-32, first submission (10 rounds)."
        "(data=b'', /, *, salt=b'', usedforsecurity=True)"
    Blake48 "blake48" "BLAKE-48, first submission (14 rounds)."
        "(data=b'', /, *, salt=b'', usedforsecurity=True)"
    Blake64 "blake64" "BLAKE-64, first submission (14 rounds)."
        "(data=b'', /, *, salt=b'', usedforsecurity=True)"
}

classes! {
    [
        ""
        "digest_size is 1 to MAX_DIGEST_SIZE bytes, key up to MAX_KEY_SIZE, salt up to SALT_SIZE,"
        "person up to PERSON_SIZE; the others are the parameters of one node of a tree. Lengths"
        "and numbers out of range raise ValueError or OverflowError, as in hashlib."
        ""
        "Source: RFC 7693; BLAKE2 paper of 2013-01-29, section 2.10, for the tree."
    ]
    (
        digest_size: Argument<'_, '_> = ABSENT,
        key: Argument<'_, '_> = ABSENT,
        salt: Argument<'_, '_> = ABSENT,
        person: Argument<'_, '_> = ABSENT,
        fanout: Argument<'_, '_> = ABSENT,
        depth: Argument<'_, '_> = ABSENT,
        leaf_size: Argument<'_, '_> = ABSENT,
        node_offset: Argument<'_, '_> = ABSENT,
        node_depth: Argument<'_, '_> = ABSENT,
        inner_size: Argument<'_, '_> = ABSENT,
        last_node: Argument<'_, '_> = ABSENT
    )
    (algorithm => {
        let tree_mode = TreeModeArguments {
            fanout, depth, leaf_size, node_offset, node_depth, inner_size,
            last_node: last_node.is_truthy(false)?,
        };
        let parameters = Parameters::new(algorithm)
            .digest_size(digest_size)?
            .secrets(key, salt, person)?;
        match tree_mode.check(algorithm)? {
            Some(tree_mode) => (parameters.tree_mode(tree_mode), 1),
            None => (parameters, 1),
        }
    })
    {}
    Blake2b "blake2b" "BLAKE2b, for 64-bit machines."
        "(data=b'', /, *, digest_size=64, key=b'', salt=b'', person=b'', fanout=1, depth=1, \
         leaf_size=0, node_offset=0, node_depth=0, inner_size=0, last_node=False, \
         usedforsecurity=True)"
    Blake2s "blake2s" "BLAKE2s, for 8- to 32-bit machines, and the fastest here for many messages."
        "(data=b'', /, *, digest_size=32, key=b'', salt=b'', person=b'', fanout=1, depth=1, \
         leaf_size=0, node_offset=0, node_depth=0, inner_size=0, last_node=False, \
         usedforsecurity=True)"
}

classes! {
    [
        ""
        "digest_size is 1 to MAX_DIGEST_SIZE bytes, key up to MAX_KEY_SIZE, salt up to SALT_SIZE,"
        "person up to PERSON_SIZE (else ValueError). threads: the number of threads that hash"
        "updates of at least 1 MiB; the digest does not depend on it."
        ""
        "Source: BLAKE2 paper of 2013-01-29, section 2.10 and the reference code."
    ]
    (
        digest_size: Argument<'_, '_> = ABSENT,
        key: Argument<'_, '_> = ABSENT,
        salt: Argument<'_, '_> = ABSENT,
        person: Argument<'_, '_> = ABSENT,
        threads: i64 = 1
    )
    (algorithm => {
        let parameters = Parameters::new(algorithm).digest_size(digest_size)?;
        (parameters.secrets(key, salt, person)?, threads)
    })
    {}
    Blake2bp "blake2bp" "BLAKE2bp: four leaves of BLAKE2b and a root."
        "(data=b'', /, *, digest_size=64, key=b'', salt=b'', person=b'', threads=1, \
         usedforsecurity=True)"
    Blake2sp "blake2sp" "BLAKE2sp: eight leaves of BLAKE2s and a root."
        "(data=b'', /, *, digest_size=32, key=b'', salt=b'', person=b'', threads=1, \
         usedforsecurity=True)"
}

classes! {
    [
        ""
        "Without digest_size the length of the output is not known in advance, and digest(length)"
        "returns its first bytes, as SHAKE's does. With digest_size, which is hashed, too,"
        "digest() returns all of it. key has up to MAX_KEY_SIZE, salt up to SALT_SIZE, person up"
        "to PERSON_SIZE bytes (else ValueError)."
        ""
        "Source: BLAKE2X paper, by Aumasson, Neves, Wilcox-O'Hearn and Winnerlein."
    ]
    (
        digest_size: Argument<'_, '_> = ABSENT,
        key: Argument<'_, '_> = ABSENT,
        salt: Argument<'_, '_> = ABSENT,
        person: Argument<'_, '_> = ABSENT
    )
    (algorithm => {
        let parameters = Parameters::new(algorithm).digest_size(digest_size.or_none())?;
        (parameters.secrets(key, salt, person)?.or_unknown_length(), 1)
    })
    {
        /// Return the first length bytes of the output, by default digest_size.
        #[pyo3(signature = (length=None, /))]
        fn digest<'py>(
            slf: PyRef<'py, Self>,
            length: Option<i64>,
        ) -> PyResult<Bound<'py, PyBytes>> {
            slf.as_super().squeeze(slf.py(), length)
        }

        /// Return the digest in hexadecimal digits.
        #[pyo3(signature = (length=None, /))]
        fn hexdigest(slf: PyRef<'_, Self>, length: Option<i64>) -> PyResult<String> {
            Ok(to_hex(slf.as_super().squeeze(slf.py(), length)?.as_bytes()))
        }
    }
    Blake2xb "blake2xb" "BLAKE2Xb: output of any length up to 2**32 - 2 bytes, from BLAKE2b."
        "(data=b'', /, *, digest_size=None, key=b'', salt=b'', person=b'', usedforsecurity=True)"
    Blake2xs "blake2xs" "BLAKE2Xs: output of any length up to 2**16 - 2 bytes, from BLAKE2s."
        "(data=b'', /, *, digest_size=None, key=b'', salt=b'', person=b'', usedforsecurity=True)"
}

classes! {
    [
        ""
        "digest_size is 1 to MAX_DIGEST_SIZE bytes (else ValueError); each size is a function of"
        "its own, not a truncation. data is any bytes-like object (else TypeError)."
        ""
        "Source: SHA-3 proposal Groestl, by Gauravaram, Knudsen, Matusiewicz, Mendel,"
        "Rechberger, Schlaeffer and Thomsen."
    ]
    (digest_size: Argument<'_, '_> = ABSENT)
    (algorithm => (Parameters::new(algorithm).digest_size(digest_size)?, 1))
    {}
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

class! {
    Blake3 "blake3" "BLAKE3: one function for hashes, keyed hashes, key derivation and output of any length."
        "(data=None, /, *, key=None, derive_key_context=None, digest_size=32, max_threads=1, \
         usedforsecurity=True)"
    [
        ""
        "The interface is that of the package blake3. key: exactly 32 bytes (else ValueError)."
        "derive_key_context: a string that names the purpose of the key derived from the message;"
        "it should be hardcoded, globally unique and specific to the application."
        "digest_size: the default length of digest(); a short output is the beginning of every"
        "longer one. max_threads: how many threads hash a MiB or more of data, or a file; AUTO is one"
        "for each CPU."
        ""
        "Source: BLAKE3 paper, by O'Connor, Aumasson, Neves and Wilcox-O'Hearn."
    ]
    (
        key: Argument<'_, '_> = ABSENT,
        derive_key_context: Argument<'_, '_> = ABSENT,
        digest_size: Argument<'_, '_> = ABSENT,
        max_threads: i64 = 1
    )
    (algorithm => {
        if max_threads < 1 && max_threads != AUTO {
            return Err(PyValueError::new_err("not a valid number of threads"));
        }
        let parameters = Parameters::new(algorithm).digest_size(digest_size)?;
        let parameters = parameters.whole_key(key)?;
        let threads = match max_threads {
            AUTO => available_parallelism().map_or(1, |cpus| cpus.get() as i64),
            threads => threads,
        };
        (parameters.derive_key_context(derive_key_context)?, threads.min(THREADS_MAX))
    })
    {
        /// A value for max_threads: one thread for each core.
        #[classattr]
        const AUTO: i64 = AUTO;

        /// The algorithm's name, also of the class, as in the package blake3.
        #[classattr]
        fn name() -> &'static str {
            Algorithm::Blake3.name()
        }

        /// Length of the block in bytes.
        #[classattr]
        fn block_size() -> usize {
            info_of(Algorithm::Blake3).block_bytes
        }

        /// Length of a key in bytes.
        #[classattr]
        fn key_size() -> usize {
            info_of(Algorithm::Blake3).key_bytes_max
        }

        /// Append bytes to the message; data is any bytes-like object. Return the object itself.
        #[pyo3(signature = (data, /))]
        fn update<'py>(
            slf: PyRef<'py, Self>,
            data: &Bound<'py, PyAny>,
        ) -> PyResult<PyRef<'py, Self>> {
            slf.as_super().update(data)?;
            Ok(slf)
        }

        /// Append a file's content, read by up to max_threads threads if the message is empty. Return
        /// the object itself. As in the package blake3, but the file is read and not mapped into
        /// memory: one that becomes shorter meanwhile raises OSError. After an error, call reset().
        #[pyo3(signature = (path))]
        fn update_mmap(slf: PyRef<'_, Self>, path: PathBuf) -> PyResult<PyRef<'_, Self>> {
            slf.as_super().update_from_file(slf.py(), &path)?;
            Ok(slf)
        }

        /// Return length bytes of the output, by default digest_size, from byte seek on.
        #[pyo3(signature = (length=None, *, seek=0), text_signature = "($self, length=32, *, seek=0)")]
        fn digest<'py>(
            slf: PyRef<'py, Self>,
            length: Option<i64>,
            seek: u64,
        ) -> PyResult<Bound<'py, PyBytes>> {
            match (length, seek) {
                (None, 0) => slf.as_super().digest(slf.py()),
                _ => slf.as_super().squeeze_from(slf.py(), seek, length),
            }
        }

        /// Return the digest in hexadecimal digits.
        #[pyo3(signature = (length=None, *, seek=0), text_signature = "($self, length=32, *, seek=0)")]
        fn hexdigest(slf: PyRef<'_, Self>, length: Option<i64>, seek: u64) -> PyResult<String> {
            Ok(to_hex(Self::digest(slf, length, seek)?.as_bytes()))
        }

        /// Forget the message and start another one with the same parameters.
        fn reset(slf: PyRef<'_, Self>) {
            slf.as_super().reset(slf.py());
        }
    }
}

/// Maps every algorithm to its class.
macro_rules! class_of {
    ($py:ident, $algorithm:ident: $($class:ident)*) => {
        match $algorithm {
            $(Algorithm::$class => Some($py.get_type::<$class>()),)*
            _ => None,
        }
    };
}

pub fn class_of(py: Python<'_>, algorithm: Algorithm) -> Option<Bound<'_, PyType>> {
    class_of! { py, algorithm:
        Blake224 Blake256 Blake384 Blake512 Blake28 Blake32 Blake48 Blake64
        Blake2b Blake2s Blake2bp Blake2sp Blake2xb Blake2xs
        Groestl224 Groestl256 Groestl384 Groestl512
        Groestl0_224 Groestl0_256 Groestl0_384 Groestl0_512 Blake3
    }
}

/// Adds the classes to the module, with hashlib's constants.
pub fn add_classes(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Hash>()?;
    for &algorithm in Algorithm::all() {
        let Some(class) = class_of(module.py(), algorithm) else {
            continue;
        };
        let info = info_of(algorithm);
        class.setattr("MAX_DIGEST_SIZE", info.digest_bytes_max)?;
        class.setattr("MAX_KEY_SIZE", info.key_bytes_max)?;
        class.setattr("SALT_SIZE", info.salt_bytes)?;
        class.setattr("PERSON_SIZE", info.personal_bytes)?;
        module.add(identifier(algorithm).as_str(), class)?;
    }
    Ok(())
}
