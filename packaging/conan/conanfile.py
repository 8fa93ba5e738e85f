# SPDX-License-Identifier: MIT OR Apache-2.0
"""Conan 2 recipe of the C library: conan create packaging/conan"""

import re
from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Finalist(ConanFile):
    name = "finalist"
    test_package_folder = "../abc"
    description = "The hash functions BLAKE, BLAKE2 and Grøstl at the full speed of the CPU"
    license = "MIT OR Apache-2.0"
    topics = ("hash", "blake", "blake2", "groestl", "simd")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]
    languages = "C"

    def _source_tree(self):
        return Path(self.recipe_folder).parent.parent

    def set_version(self):
        header = (self._source_tree() / "include" / "finalist.h").read_text(encoding="utf-8")
        numbers = re.findall(r"#define FIN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)
        self.version = ".".join(numbers)

    def export_sources(self):
        folders = ("cmake/*", "core/*", "include/*", "tools/*.in")
        for pattern in ("CMakeLists.txt", "LICENSE-*", *folders):
            copy(self, pattern, self._source_tree(), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False
        toolchain.cache_variables["FIN_TESTS"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE-*", self.source_folder, Path(self.package_folder) / "licenses")
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["finalist"]
        self.cpp_info.set_property("cmake_file_name", "finalist")
        self.cpp_info.set_property("cmake_target_name", "finalist::finalist")
        self.cpp_info.set_property("pkg_config_name", "finalist")
