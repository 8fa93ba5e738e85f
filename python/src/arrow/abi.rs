// SPDX-License-Identifier: MIT OR Apache-2.0
//! The structures of Arrow's C data interface and C stream interface:
//! https://arrow.apache.org/docs/format/CDataInterface.html

use std::ffi::{c_char, c_int, c_void};
use std::mem;
use std::ptr;

pub const FLAG_NULLABLE: i64 = 2;

#[repr(C)]
pub struct ArrowSchema {
    pub format: *const c_char,
    pub name: *const c_char,
    pub metadata: *const c_char,
    pub flags: i64,
    pub n_children: i64,
    pub children: *mut *mut ArrowSchema,
    pub dictionary: *mut ArrowSchema,
    pub release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub private_data: *mut c_void,
}

#[repr(C)]
pub struct ArrowArray {
    pub length: i64,
    pub null_count: i64,
    pub offset: i64,
    pub n_buffers: i64,
    pub n_children: i64,
    pub buffers: *mut *const c_void,
    pub children: *mut *mut ArrowArray,
    pub dictionary: *mut ArrowArray,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub private_data: *mut c_void,
}

#[repr(C)]
pub struct ArrowArrayStream {
    pub get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    pub get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    pub get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    pub private_data: *mut c_void,
}

/// The common part of the three structures: a callback that frees their content once.
pub trait Released: Sized {
    /// Returns true if there is nothing (left) to free.
    fn is_released(&self) -> bool;

    /// Returns a structure without content.
    fn empty() -> Self {
        // SAFETY: null pointers, absent functions and zeros are valid in all three.
        unsafe { mem::zeroed() }
    }

    /// Moves the content out, so that `place` will not free it.
    ///
    /// # Safety
    /// `place` points to a valid structure.
    unsafe fn take(place: *mut Self) -> Self {
        // SAFETY: promised by the caller. The interface allows moves by copying the bytes.
        unsafe { ptr::replace(place, Self::empty()) }
    }
}

macro_rules! released {
    ($structure:ident) => {
        impl Released for $structure {
            fn is_released(&self) -> bool {
                self.release.is_none()
            }
        }

        impl Drop for $structure {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: the producer's own callback on its own structure, once: it, or the
                    // next line, marks the structure as released.
                    unsafe { release(self) };
                    self.release = None;
                }
            }
        }

        // SAFETY: the interface asks for structures that any thread may use and release.
        unsafe impl Send for $structure {}
        // SAFETY: as above; through a shared reference they are only read.
        unsafe impl Sync for $structure {}
    };
}

released!(ArrowSchema);
released!(ArrowArray);
released!(ArrowArrayStream);
