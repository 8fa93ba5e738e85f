// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrow data in and out, by its C interfaces alone.

pub mod abi;
pub mod cell;
pub mod column;
pub mod dictionary;
pub mod digests;
pub mod export;
pub mod import;
pub mod kind;
pub mod nested;
pub mod table;
