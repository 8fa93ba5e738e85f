# SPDX-License-Identifier: MIT OR Apache-2.0
# The tool and the C library, from the tree that contains this file: nix-build packaging/nix
{ pkgs ? import <nixpkgs> { } }:

let
  version = "0.1.0";
  src = pkgs.lib.cleanSource ../..;
  meta = {
    description = "The hash functions BLAKE, BLAKE2 and Grøstl at the full speed of the CPU";
    license = with pkgs.lib.licenses; [ mit asl20 ];
  };
in
{
  library = pkgs.stdenv.mkDerivation {
    pname = "libfinalist";
    inherit version src meta;
    nativeBuildInputs = [ pkgs.cmake ];
    cmakeFlags = [ "-DFIN_TESTS=OFF" "-DBUILD_SHARED_LIBS=ON" ];
  };

  tool = pkgs.rustPlatform.buildRustPackage {
    pname = "finalist";
    inherit version src;
    meta = meta // { mainProgram = "finalist"; };
    cargoLock.lockFile = ../../Cargo.lock;
    cargoBuildFlags = [ "-p" "finalist-cli" ];
    nativeBuildInputs = [ pkgs.installShellFiles ];
    # The tests read files outside the packages; make test-rust runs them.
    doCheck = false;
    postInstall = ''
      $out/bin/finalist generate generated
      installManPage generated/man/*.1
      installShellCompletion --bash --name finalist generated/completions/finalist.bash
      installShellCompletion generated/completions/finalist.fish
      installShellCompletion generated/completions/_finalist
    '';
  };
}
