// SPDX-License-Identifier: MIT OR Apache-2.0
//! The implementations of the compression functions, and which are selected.

#[cfg(feature = "alloc")]
use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};
#[cfg(feature = "alloc")]
use core::mem::MaybeUninit;
use core::ptr;

use finalist_sys as sys;

#[cfg(feature = "std")]
use crate::EnvironmentError;
use crate::{Algorithm, Error, static_text};

/// No implementation's name is longer.
const NAME_BYTES_MAX: usize = 63;

/// One implementation of one compression function.
///
/// ```
/// let all = finalist::implementations();
/// let tables = all.iter().filter(|implementation| !implementation.constant_time);
/// assert!(tables.clone().all(|implementation| implementation.technique.contains("table")));
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implementation {
    /// The compression function: `blake256`, `groestl0-512`; compare
    /// [`AlgorithmInfo::compression`](crate::AlgorithmInfo::compression).
    pub algorithm: &'static str,
    /// `portable`, `ttable64`: unique within the algorithm.
    pub name: &'static str,
    /// Short description.
    pub technique: &'static str,
    /// The section of the literature that describes it: see docs/design/bibliography.md.
    pub source: &'static str,
    /// The CPU features that it needs.
    pub features: Vec<&'static str>,
    /// `single`: one message; `multi`: one message a lane.
    pub mode: &'static str,
    /// Messages at once.
    pub lanes: u32,
    /// Block length in bytes.
    pub block_bytes: usize,
    /// Least core cycles a block, by its critical path, where known.
    pub bound_cycles: Option<u32>,
    /// Time does not depend on message, key or salt.
    pub constant_time: bool,
    /// Supported by this CPU and operating system, after `FINALIST_CPU`'s mask.
    pub supported: bool,
    /// Used now for its algorithm and mode.
    pub selected: bool,
}

/// Lists the implementations in this build.
///
/// ```
/// let all = finalist::implementations();
/// assert!(all.iter().any(|one| one.algorithm == "blake2b" && one.name == "portable"));
/// ```
#[cfg(feature = "alloc")]
pub fn implementations() -> Vec<Implementation> {
    // SAFETY: takes nothing.
    let count = unsafe { sys::fin_impl_count() };
    (0..count).filter_map(implementation_at).collect()
}

#[cfg(feature = "alloc")]
fn implementation_at(index: usize) -> Option<Implementation> {
    let mut info = MaybeUninit::<sys::fin_impl_info>::uninit();
    // SAFETY: the call fills the structure if it succeeds; its strings are static.
    unsafe {
        Error::check(sys::fin_impl_at(index, info.as_mut_ptr())).ok()?;
        let info = info.assume_init();
        Some(Implementation {
            algorithm: static_text(info.algorithm),
            name: static_text(info.name),
            technique: static_text(info.technique),
            source: static_text(info.source),
            features: items(static_text(info.features)),
            mode: static_text(info.mode),
            lanes: info.lanes,
            block_bytes: info.block_bytes as usize,
            bound_cycles: Some(info.bound_cycles).filter(|&cycles| cycles != 0),
            constant_time: info.constant_time,
            supported: info.supported,
            selected: info.selected,
        })
    }
}

/// Returns the class of cores whose preferences the automatic choice follows on this CPU: `AMD
/// families 17h and 19h: Zen to Zen 4`.
///
/// ```
/// println!("selected for {}", finalist::core_class());
/// ```
pub fn core_class() -> &'static str {
    // SAFETY: takes nothing and returns a static string.
    unsafe { static_text(sys::fin_core_class()) }
}

/// The items of a comma-separated list, which may be empty.
#[cfg(feature = "alloc")]
fn items(list: &str) -> Vec<&str> {
    list.split(',').filter(|item| !item.is_empty()).collect()
}

/// Selects the implementation of an algorithm's compression function, for the whole process and all
/// its messages, also those in progress. `None` goes back to the automatic choice: the
/// environment's, then the fastest constant-time one that the CPU supports. Algorithms that share a
/// compression function (BLAKE-224 and -256, BLAKE2b and BLAKE2bp) share the choice.
///
/// # Errors
/// [`Error::ImplementationUnknown`], [`Error::ImplementationUnsupported`], and with `None` those of
/// a wrong [environment](check_environment).
///
/// ```
/// use finalist::{Algorithm, select, selected};
/// select(Algorithm::Blake256, Some("portable"))?;
/// assert_eq!(selected(Algorithm::Blake224), "portable");
/// select(Algorithm::Blake256, None)?;
/// # Ok::<(), finalist::Error>(())
/// ```
pub fn select(algorithm: Algorithm, name: Option<&str>) -> Result<(), Error> {
    let mut text = [0_u8; NAME_BYTES_MAX + 1];
    let mut pointer = ptr::null();
    if let Some(name) = name {
        if name.len() > NAME_BYTES_MAX || name.contains('\0') {
            return Err(Error::ImplementationUnknown);
        }
        text[..name.len()].copy_from_slice(name.as_bytes());
        pointer = text.as_ptr().cast();
    }
    // SAFETY: null or a null-terminated string that lives for the call.
    Error::check(unsafe { sys::fin_impl_select(algorithm.number(), pointer) })
}

/// Returns the name of the implementation that is selected for single messages of the algorithm.
///
/// ```
/// use finalist::{Algorithm, selected};
/// assert_eq!(selected(Algorithm::Blake224), selected(Algorithm::Blake256));
/// ```
pub fn selected(algorithm: Algorithm) -> &'static str {
    // SAFETY: an algorithm of the library, so a static string is returned.
    unsafe { static_text(sys::fin_impl_selected(algorithm.number())) }
}

/// Lists the CPU's features: those that this build knows and `FINALIST_CPU` does not hide.
///
/// ```
/// println!("{}", finalist::cpu_features().join(" "));
/// ```
#[cfg(feature = "alloc")]
pub fn cpu_features() -> Vec<String> {
    // SAFETY: nothing is written to a buffer of length 0.
    let bytes = unsafe { sys::fin_cpu_features(ptr::null_mut(), 0) };
    let mut text = vec![0; bytes + 1];
    // SAFETY: pointer and length of one vector.
    unsafe { sys::fin_cpu_features(text.as_mut_ptr().cast(), text.len()) };
    text.truncate(bytes);
    items(&String::from_utf8_lossy(&text))
        .into_iter()
        .map(str::to_owned)
        .collect()
}

/// Checks `FINALIST_IMPL` and `FINALIST_CPU`. A wrong item makes every call fail that would use it.
///
/// # Errors
/// The first wrong item.
///
/// ```
/// finalist::check_environment()?;
/// # Ok::<(), finalist::EnvironmentError>(())
/// ```
#[cfg(feature = "std")]
pub fn check_environment() -> Result<(), EnvironmentError> {
    let mut item = ptr::null();
    let mut item_bytes = 0;
    // SAFETY: memory for the two results.
    let status = unsafe { sys::fin_environment_check(&mut item, &mut item_bytes) };
    Error::check(status).map_err(|error| {
        let text = if item.is_null() {
            &[]
        } else {
            // SAFETY: the library returned the item's start and length.
            unsafe { core::slice::from_raw_parts(item.cast::<u8>(), item_bytes) }
        };
        let item = String::from_utf8_lossy(text).into_owned();
        EnvironmentError {
            variable: wrong_variable(),
            item,
            error,
        }
    })
}

/// The environment variable that holds the wrong item.
#[cfg(feature = "std")]
fn wrong_variable() -> &'static str {
    // SAFETY: a string of the library's own, or null if no item is wrong.
    let name = unsafe { sys::fin_environment_variable() };
    if name.is_null() {
        return "";
    }
    // SAFETY: it is null-terminated and static.
    unsafe { core::ffi::CStr::from_ptr(name) }
        .to_str()
        .unwrap_or_default()
}
