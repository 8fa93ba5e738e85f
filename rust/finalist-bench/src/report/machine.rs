// SPDX-License-Identifier: MIT OR Apache-2.0
//! The measured machine: the CPU as it describes itself.

use finalist::core_class;
use serde::{Deserialize, Serialize};

use crate::clock::cpu_name;

/// A CPU and its surroundings. Numbers are those of CPUID and missing elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    pub vendor: String,
    #[serde(default)]
    pub family: Option<u32>,
    #[serde(default)]
    pub model: Option<u32>,
    #[serde(default)]
    pub stepping: Option<u32>,
    pub brand: String,
    /// A name given by a person, such as `Zen 4`.
    #[serde(default)]
    pub microarchitecture: String,
    /// The class of cores that dispatch detects.
    #[serde(default)]
    pub core: String,
    pub architecture: String,
    pub system: String,
    /// CPUs that the process may use.
    pub cpus: usize,
    /// True under a hypervisor.
    #[serde(default, rename = "virtual")]
    pub is_virtual: bool,
    /// A remark for the reader.
    #[serde(default)]
    pub remark: String,
}

impl Machine {
    /// Describes this machine.
    pub fn here() -> Machine {
        let mut machine = Machine {
            brand: cpu_name(),
            core: core_class().to_owned(),
            architecture: std::env::consts::ARCH.to_owned(),
            system: std::env::consts::OS.to_owned(),
            cpus: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            ..Machine::default()
        };
        describe(&mut machine);
        machine
    }

    /// Returns a short name, such as `AMD Zen 4` or the brand.
    pub fn name(&self) -> String {
        let vendor = match self.vendor.as_str() {
            "AuthenticAMD" => "AMD",
            "GenuineIntel" => "Intel",
            other => other,
        };
        match self.microarchitecture.as_str() {
            "" => self.brand.clone(),
            known => format!("{vendor} {known}").trim().to_owned(),
        }
    }

    /// Returns vendor, family and model on one line.
    pub fn numbers(&self) -> String {
        match (self.family, self.model, self.stepping) {
            (Some(family), Some(model), Some(stepping)) => format!(
                "{}, family {family:X}h, model {model:02X}h, stepping {stepping}",
                self.vendor
            ),
            _ if self.vendor.is_empty() => self.architecture.clone(),
            _ => self.vendor.clone(),
        }
    }
}

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
fn describe(machine: &mut Machine) {
    let cpuid = raw_cpuid::CpuId::new();
    if let Some(vendor) = cpuid.get_vendor_info() {
        machine.vendor = vendor.as_str().to_owned();
    }
    let Some(features) = cpuid.get_feature_info() else {
        return;
    };
    machine.family = Some(features.family_id().into());
    machine.model = Some(features.model_id().into());
    machine.stepping = Some(features.stepping_id().into());
    machine.is_virtual = features.has_hypervisor();
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
fn describe(_machine: &mut Machine) {}
