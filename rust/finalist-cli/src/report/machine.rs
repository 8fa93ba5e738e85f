// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a measurement was taken on: the CPU as it describes itself.

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
    pub microarchitecture: String,
    pub architecture: String,
    pub system: String,
    /// CPUs that the process may use.
    pub cpus: usize,
    /// Under a hypervisor.
    #[serde(default, rename = "virtual")]
    pub is_virtual: bool,
    /// What the reader should know besides.
    #[serde(default)]
    pub remark: String,
}

impl Machine {
    /// This one.
    pub fn here() -> Machine {
        let mut machine = Machine {
            brand: cpu_name(),
            microarchitecture: "unknown".to_owned(),
            architecture: std::env::consts::ARCH.to_owned(),
            system: std::env::consts::OS.to_owned(),
            cpus: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            ..Machine::default()
        };
        describe(&mut machine);
        machine
    }

    /// A short name, as `AMD Zen 4` or the brand.
    pub fn name(&self) -> String {
        let vendor = match self.vendor.as_str() {
            "AuthenticAMD" => "AMD",
            "GenuineIntel" => "Intel",
            other => other,
        };
        match self.microarchitecture.as_str() {
            "unknown" | "" => self.brand.clone(),
            known => format!("{vendor} {known}").trim().to_owned(),
        }
    }

    /// Vendor, family and model on one line.
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
    let (family, model) = (features.family_id().into(), features.model_id().into());
    machine.family = Some(family);
    machine.model = Some(model);
    machine.stepping = Some(features.stepping_id().into());
    machine.is_virtual = features.has_hypervisor();
    machine.microarchitecture = microarchitecture(&machine.vendor, family, model).to_owned();
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
fn describe(_machine: &mut Machine) {}

/// The core's name after the vendor's documents; a virtual machine may give another model.
#[cfg(any(target_arch = "x86_64", target_arch = "x86", test))]
fn microarchitecture(vendor: &str, family: u32, model: u32) -> &'static str {
    match (vendor, family, model) {
        ("AuthenticAMD", 0x15, 0x00..=0x01) => "Bulldozer",
        ("AuthenticAMD", 0x15, 0x02 | 0x10..=0x1f) => "Piledriver",
        ("AuthenticAMD", 0x15, 0x30..=0x3f) => "Steamroller",
        ("AuthenticAMD", 0x15, 0x60..=0x7f) => "Excavator",
        ("AuthenticAMD", 0x17, 0x00..=0x2f) => "Zen",
        ("AuthenticAMD", 0x17, _) => "Zen 2",
        ("AuthenticAMD", 0x19, 0x10..=0x1f | 0x60..=0xaf) => "Zen 4",
        ("AuthenticAMD", 0x19, _) => "Zen 3",
        ("AuthenticAMD", 0x1a, _) => "Zen 5",
        ("GenuineIntel", 6, 0x0f | 0x16 | 0x17 | 0x1d) => "Core 2",
        ("GenuineIntel", 6, 0x1a | 0x1e | 0x1f | 0x2e) => "Nehalem",
        ("GenuineIntel", 6, 0x25 | 0x2c | 0x2f) => "Westmere",
        ("GenuineIntel", 6, 0x2a | 0x2d) => "Sandy Bridge",
        ("GenuineIntel", 6, 0x3a | 0x3e) => "Ivy Bridge",
        ("GenuineIntel", 6, 0x3c | 0x3f | 0x45 | 0x46) => "Haswell",
        ("GenuineIntel", 6, 0x3d | 0x47 | 0x4f | 0x56) => "Broadwell",
        ("GenuineIntel", 6, 0x4e | 0x5e | 0x55 | 0x8e | 0x9e | 0xa5 | 0xa6) => "Skylake",
        ("GenuineIntel", 6, 0x66) => "Cannon Lake",
        ("GenuineIntel", 6, 0x6a | 0x6c | 0x7d | 0x7e) => "Ice Lake",
        ("GenuineIntel", 6, 0x8c | 0x8d) => "Tiger Lake",
        ("GenuineIntel", 6, 0xa7) => "Rocket Lake",
        ("GenuineIntel", 6, 0x8f | 0x97 | 0x9a) => "Golden Cove",
        ("GenuineIntel", 6, 0xb7 | 0xba | 0xbf | 0xcf) => "Raptor Cove",
        ("GenuineIntel", 6, 0xaa | 0xac | 0xad | 0xae) => "Redwood Cove",
        _ => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::microarchitecture;

    #[test]
    fn cores_are_named() {
        assert_eq!(microarchitecture("AuthenticAMD", 0x19, 0x11), "Zen 4");
        assert_eq!(microarchitecture("AuthenticAMD", 0x19, 0x01), "Zen 3");
        assert_eq!(microarchitecture("GenuineIntel", 6, 0x8f), "Golden Cove");
        assert_eq!(microarchitecture("GenuineIntel", 6, 0x100), "unknown");
    }
}
