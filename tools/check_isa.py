#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks that no object file holds an instruction above its ISA level.

    tools/check_isa.py [--objdump OBJDUMP] [--granted-by COMPILER] OBJECT...
    tools/check_isa.py --self-test [--objdump OBJDUMP] [--cc CC]

The object of unit/NAME.c may use the CPU features that core/isa.def gives NAME, with all that
core/cpu.def says they imply; every other object may use only the architecture's baseline. All
objects may also use the features that a compiler's options enable (--granted-by "gcc
-march=haswell"). For x86 the check knows every encoding that compilers emit: it tells legacy, VEX,
EVEX and XOP apart by their bytes, and features within them by mnemonic and registers. For 32-bit
and 64-bit Arm it knows the extensions by mnemonic and registers, and takes any other mnemonic for
baseline. Objects of other architectures are named, not checked.
"""

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

CORE = Path(__file__).resolve().parent.parent / "core"

# Units of this architecture run on CPUs below the baseline of all other code.
ARCHITECTURE_386 = "X86_32"

UNIT = re.compile(r'^FIN_UNIT\((\w+), (\w+), "([^"]*)", "[^"]*"\)', re.MULTILINE)
FEATURE = re.compile(r'^FIN_CPU_FEATURE\((\w+), "(\w+)", ([^)]*)\)', re.MULTILINE)

# Features without a bit in cpu.def, by one that every CPU with them has.
STANDS_FOR = {"ssse3": {"sse3"}, "avx": {"sse42"}}

# Macros that compilers predefine when a feature is enabled.
GRANTED = {
    "__MMX__": "mmx", "__SSE2__": "sse2", "__SSE3__": "sse3", "__SSSE3__": "ssse3",
    "__SSE4_1__": "sse41", "__SSE4_2__": "sse42", "__POPCNT__": "popcnt", "__LZCNT__": "lzcnt",
    "__MOVBE__": "movbe", "__ADX__": "adx", "__AES__": "aes", "__PCLMUL__": "pclmul",
    "__SHA__": "sha", "__GFNI__": "gfni", "__AVX__": "avx", "__XOP__": "xop", "__BMI__": "bmi1",
    "__BMI2__": "bmi2", "__FMA__": "fma", "__F16C__": "f16c", "__AVX2__": "avx2",
    "__VAES__": "vaes", "__VPCLMULQDQ__": "vpclmul", "__AVXVNNI__": "avxvnni",
    "__AVX512VL__": "avx512", "__AVX512VBMI__": "avx512vbmi", "__AVX512VBMI2__": "avx512vbmi2",
    "__AVX512BITALG__": "avx512bitalg", "__AVX512VPOPCNTDQ__": "avx512vpopcntdq",
    "__AVX512IFMA__": "avx512ifma", "__AVX512VNNI__": "avx512vnni",
    "__AVX512FP16__": "avx512fp16", "__ARM_NEON": "neon", "__ARM_FEATURE_AES": "armaes",
    "__ARM_FEATURE_ATOMICS": "lse", "__ARM_FEATURE_DOTPROD": "armdotprod",
    "__ARM_FEATURE_SHA2": "armsha2", "__ARM_FEATURE_SHA3": "armsha3",
    "__ARM_FEATURE_CRC32": "armcrc",
}

# Patterns of whole mnemonics, first match counts. Legacy encoding.
LEGACY = [
    (r"f?cmov\w+|fu?comip?|bswap\w?|cmpxchg\w*|xadd\w?|nop[wl]|endbr\d+", "i686"),
    (r"cpuid|rdtsc|rdpmc|ud2|invlpg|invd|wbinvd", "i686"),
    (r"prefetch\w+|[lms]fence|pause|movnti", "sse2"),
    (r"aes(enc|dec)(last)?|aesimc|aeskeygenassist", "aes"),
    (r"gf2p8\w+", "gfni"),
    (r"pclmul\w+", "pclmul"),
    (r"sha(1|256)\w+", "sha"),
    (r"pcmpgtq|pcmp[ei]str\w+|crc32\w*", "sse42"),
    (r"popcnt\w*", "popcnt"),
    (r"lzcnt\w*", "lzcnt"),
    (r"movbe\w*", "movbe"),
    (r"adcx\w*|adox\w*", "adx"),
    (r"blendv?p[sd]|pblendvb|pblendw|pinsr[bdq]|pextr[bdq]|extractps|insertps", "sse41"),
    (r"pmulld|pmuldq|pm(in|ax)(sb|uw|ud|sd)|pmov[sz]x\w+|ptest|packusdw|pcmpeqq", "sse41"),
    (r"round[ps][sd]|dpp[sd]|mpsadbw|movntdqa|phminposuw", "sse41"),
    (r"pshufb|palignr|pabs[bwd]|phadd\w+|phsub\w+|pmaddubsw|pmulhrsw|psign[bwd]", "ssse3"),
    (r"addsubp[sd]|hadd\w+|hsub\w+|lddqu|mov[ds]dup|mov[sd]hdup|movsldup", "sse3"),
]
VEX = [
    (r"andn\w?|bextr\w?|bls(i|r|msk)\w?", "bmi1"),
    (r"rorx\w?|pdep\w?|pext\w?|mulx\w?|(sar|shl|shr)x\w?|bzhi\w?", "bmi2"),
    (r"vfn?m(add|sub)\w+", "fma"),
    (r"vcvtp[hs]2p[hs]", "f16c"),
    (r"vpclmul\w+", "vpclmul"),
    (r"vpdp\w+", "avxvnni"),
    (r"vsha\w+|vsm[34]\w+", "sha512"),
    (r"vpmadd52\w+", "avxifma"),
    (r"vpbroadcast\w+|vbroadcasti128|vps[lr]lv[dq]|vpsravd|vpblendd|v\w*gather\w+", "avx2"),
    (r"vperm2i128|vinserti128|vextracti128|vperm[dq]|vpermp[sd]|vpmaskmov\w+", "avx2"),
]
# EVEX encodings beyond F, CD, BW, DQ and VL.
EVEX = [
    (r"vperm(b|i2b|t2b)|vpmultishiftqb", "avx512vbmi"),
    (r"vpsh[lr]d\w+|vp(compress|expand)[bw]", "avx512vbmi2"),
    (r"vpopcnt[bw]|vpshufbitqmb", "avx512bitalg"),
    (r"vpopcnt[dq]", "avx512vpopcntdq"),
    (r"vpmadd52\w+", "avx512ifma"),
    (r"vpdp\w+", "avx512vnni"),
    (r"vpclmul\w+", "vpclmul"),
    (r"v?\w+ph|v\w+sh|v\w*bf16\w*", "avx512fp16"),
]
# Mnemonics of both Arm architectures, of 64-bit Arm, and of 32-bit Arm.
ARM = [
    (r"aes(e|d|mc|imc)(\.8)?", "armaes"),
    (r"sha(1|256)\w+(\.32)?", "armsha2"),
    (r"v?[su]s?u?dot(\.[su]8)?", "armdotprod"),
    (r"crc32\w+", "armcrc"),
    (r"v?(bf(cvt|dot|m)\w*|fml[as]l2?|fcmla|fcadd|cmla|fjcvtzs|u?smmla|ummla)(\..*)?", "armv8.x"),
]
ARM64 = [
    (r"pmull2?\.1q", "armaes"),
    (r"sha512\w+|eor3|bcax|rax1|xar", "armsha3"),
    (r"sm[34]\w+", "armsm"),
    (r"(cas|swp|(ld|st)(add|clr|eor|set|[su]max|[su]min))\w*", "lse"),
    (r"sqrdml[as]h", "armrdm"),
    (r"ldapu?r\w*|stlur\w*", "armrcpc"),
]
# Baseline floating-point instructions, without NEON, under any condition: moves of 32 and 64 bits,
# and all operations on floats in s and d registers.
ARM32_FLOATS = re.compile(
    r"v((ldr|str|ldm|stm|push|pop|mrs|msr|cvt|sel|rint)\w*|mov\w{0,2})(\.(32|16|64|f\d+)\b.*)?"
    r"|v\w+\.f(16|32|64)(\..*)?"
)

LEGACY_PREFIXES = {"26", "2e", "36", "3e", "64", "65", "66", "67", "f0", "f2", "f3"}

INSTRUCTION = re.compile(r"^\s*[0-9a-f]+:\s+((?:[0-9a-f]{2,8} )+)\s*\t(.*)$")
DATA = re.compile(r"\.(word|short|byte|long|inst)\b")
FORMAT = re.compile(r"^(\S.*):\s+file format (\S+)$")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
MNEMONIC_PREFIXES = {
    "rep", "repz", "repnz", "lock", "data16", "notrack", "bnd", "cs", "ds", "es", "fs", "gs", "ss",
    "addr32", "{vex}", "{evex}",
}


def first_match(table, mnemonic, otherwise):
    for pattern, feature in table:
        if re.fullmatch(pattern, mnemonic):
            return feature
    return otherwise


def encoding_of(code):
    """Returns legacy, vex, evex or xop, from the first byte after the legacy prefixes."""
    for index, byte in enumerate(code):
        if byte in LEGACY_PREFIXES:
            continue
        if byte == "62":
            return "evex"
        if byte in ("c4", "c5"):
            return "vex"
        # 8f is pop unless the map field is 8 or more, which means XOP.
        if byte == "8f" and index + 1 < len(code) and int(code[index + 1], 16) & 0x1F >= 8:
            return "xop"
        return "legacy"
    return "legacy"


def vex_features(mnemonic, operands):
    if re.search(r"%k[0-7]\b", operands):
        return {"avx512"}
    if re.fullmatch(r"vaes\w+", mnemonic):
        return {"vaes"} if "%ymm" in operands else {"avx", "aes"}
    if re.fullmatch(r"vgf2p8\w+", mnemonic):
        return {"avx", "gfni"}
    feature = first_match(VEX, mnemonic, None)
    if feature is not None:
        return {feature}
    integer = re.fullmatch(r"vp(?!ermilp)(?!test)\w+|vmpsadbw|vmovntdqa", mnemonic)
    return {"avx2"} if integer and "%ymm" in operands else {"avx"}


def evex_features(mnemonic):
    if re.fullmatch(r"vaes\w+", mnemonic):
        return {"avx512", "vaes"}
    if re.fullmatch(r"vgf2p8\w+", mnemonic):
        return {"avx512", "gfni"}
    return {first_match(EVEX, mnemonic, "avx512")}


def legacy_features(mnemonic, operands):
    feature = first_match(LEGACY, mnemonic, None)
    if feature is not None:
        return {feature}
    if "%xmm" in operands:
        return {"sse2"}
    return {"mmx"} if re.search(r"%mm[0-7]\b", operands) or mnemonic == "emms" else set()


def arm64_features(_code, text):
    """Returns the CPU features that one instruction of 64-bit Arm needs beyond integers and
    floats."""
    mnemonic, _, operands = text.partition("\t")
    mnemonic = mnemonic.strip()
    if mnemonic == "<unknown>":
        return {"an encoding that objdump does not know"}
    if re.search(r"\b[zp]\d+(\.[bhsdq]|/[mz])", operands):
        return {"sve"}
    if re.fullmatch(r"pmull2?", mnemonic) and re.search(r"\.1q\b", operands):
        mnemonic += ".1q"
    feature = first_match(ARM64, mnemonic, first_match(ARM, mnemonic, None))
    if feature is not None:
        return {feature}
    # Every 64-bit CPU has q registers, and compilers keep words there.
    return {"neon"} if re.search(r"\bv\d+\.\d*[bhsd]", operands) else set()


def arm32_features(_code, text):
    """Returns the CPU features that one instruction of 32-bit Arm needs beyond integers and
    floats."""
    words = text.split(None)
    mnemonic, operands = words[0] if words else "", " ".join(words[1:])
    if mnemonic == "<unknown>":
        return {"an encoding that objdump does not know"}
    feature = first_match(ARM, mnemonic, None)
    if feature is not None:
        return {feature}
    wide = re.search(r"\bq\d+\b", operands)
    if mnemonic.startswith("v") and (wide or not ARM32_FLOATS.fullmatch(mnemonic)):
        return {"neon"}
    return set()


def x86_features(code, text):
    """Returns the CPU features that one instruction of x86 needs beyond the baseline."""
    words = text.split("#")[0].split(None)
    while words and words[0] in MNEMONIC_PREFIXES:
        words.pop(0)
    if not words or words[0] == "(bad)":
        return set() if words == [] else {"an encoding that objdump does not know"}
    mnemonic, operands = words[0], " ".join(words[1:])
    encoding = encoding_of(code)
    if encoding == "evex":
        return evex_features(mnemonic)
    if encoding == "vex":
        return vex_features(mnemonic, operands)
    if encoding == "xop":
        return {"xop"}
    return legacy_features(mnemonic, operands)


def read_tiers(isa, cpu):
    """Returns each unit's features, the units for the 386, and a function that adds implied
    features."""
    names = {identifier: name for identifier, name, _ in FEATURE.findall(cpu)}
    implied = {
        name: {names[word] for word in re.findall(r"FIN_CPU_(\w+)", expression)}
        for _, name, expression in FEATURE.findall(cpu)
    }
    found = UNIT.findall(isa)
    units = {unit: {f for f in features.split(",") if f} for unit, _, features in found}
    for_386 = {unit for unit, architecture, _ in found if architecture == ARCHITECTURE_386}
    for unit, features in units.items():
        for feature in features - set(implied):
            raise SystemExit(f"core/isa.def: {unit} needs {feature}, which cpu.def does not have")

    def close(features):
        closed = set(features)
        while True:
            more = set().union(*(implied.get(f, set()) | STANDS_FOR.get(f, set()) for f in closed))
            if more <= closed:
                return closed
            closed |= more

    return units, for_386, close


# objdump's file formats: the baseline features, and the function that reads an instruction.
MACHINES = {
    "elf64-x86-64": ({"i686", "mmx", "sse2"}, x86_features),
    "elf32-i386": ({"i686"}, x86_features),
    "elf64-littleaarch64": ({"neon"}, arm64_features),
    "elf32-littlearm": (set(), arm32_features),
}


def check_listing(listing, level_of):
    """Returns the problems and the number of instructions in an objdump listing of one or more
    objects. level_of gives the ISA level of a unit on a machine; an unknown unit is a problem."""
    problems, count, level, features_of, function, unit = [], 0, None, None, "?", "?"
    for line in listing.splitlines():
        match = FORMAT.match(line)
        if match:
            unit = Path(match.group(1)).name.split(".")[0]
            level = None
            if match.group(2) in MACHINES:
                baseline, features_of = MACHINES[match.group(2)]
                level = level_of(unit, baseline)
            continue
        match = FUNCTION.match(line)
        if match:
            function = match.group(1)
            continue
        match = INSTRUCTION.match(line)
        if not match or level is None or DATA.match(match.group(2)):
            continue
        count += 1
        missing = features_of(match.group(1).split(), match.group(2)) - level
        if missing:
            text = " ".join(match.group(2).split())
            problems.append(f"{unit}: {function}: '{text}' needs {', '.join(sorted(missing))}")
    return problems, count


def unknown_machines(listing):
    """Returns the file formats in a listing that the check cannot read."""
    formats = {match.group(2) for match in map(FORMAT.match, listing.splitlines()) if match}
    return sorted(formats - set(MACHINES))


def run(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def disassemble(objdump, objects):
    """Returns objdump's listing with each instruction on one line, which GNU's needs an option
    for."""
    version = run([objdump, "--version"])
    wide = [] if "LLVM" in version else ["--insn-width=16"]
    return run([objdump, "-d", *wide, *map(str, objects)])


def granted_by(compiler):
    """Returns the features that this compiler's options enable in every object."""
    macros = run([*compiler, "-dM", "-E", "-x", "c", "/dev/null"])
    defined = set(re.findall(r"^#define (\w+)", macros, re.MULTILINE))
    return {feature for macro, feature in GRANTED.items() if macro in defined}


# Directives for the assembler, and so for objdump: Armv8 (CPU_arch 14), all extensions.
ARM64_HEAD = ".arch armv8.4-a+crypto+sha3+sm4+dotprod+sve\n"
ARM32_HEAD = (
    ".arch armv8-a\n.arch_extension crc\n.fpu crypto-neon-fp-armv8\n.eabi_attribute 6, 14\n.arm\n"
)

# Instructions and the features they need, by the prefix of the compiler's machine.
PLANTED = {
    r"x86_64|amd64": ("", [
        ("addq %rax, %rbx", set()),
        ("rolq $7, %rax", set()),
        ("bswapl %eax", {"i686"}),
        ("cmovnel %eax, %ebx", {"i686"}),
        ("nopl (%rax)", {"i686"}),
        ("prefetcht0 (%rax)", {"sse2"}),
        ("paddd %xmm1, %xmm2", {"sse2"}),
        ("movq %mm0, %mm1", {"mmx"}),
        ("haddps %xmm1, %xmm2", {"sse3"}),
        ("pshufb %xmm1, %xmm2", {"ssse3"}),
        ("palignr $4, %xmm1, %xmm2", {"ssse3"}),
        ("pblendw $3, %xmm1, %xmm2", {"sse41"}),
        ("pinsrq $1, %rax, %xmm2", {"sse41"}),
        ("pcmpgtq %xmm1, %xmm2", {"sse42"}),
        ("popcntq %rax, %rbx", {"popcnt"}),
        ("rorxq $3, %rax, %rbx", {"bmi2"}),
        ("andnq %rax, %rbx, %rcx", {"bmi1"}),
        ("aesenclast %xmm1, %xmm2", {"aes"}),
        ("gf2p8affineqb $0, %xmm1, %xmm2", {"gfni"}),
        ("vpaddd %xmm1, %xmm2, %xmm3", {"avx"}),
        ("vmovdqu (%rax), %ymm3", {"avx"}),
        ("vxorps %ymm1, %ymm2, %ymm3", {"avx"}),
        ("vpermilps $1, %ymm1, %ymm2", {"avx"}),
        ("vpaddd %ymm1, %ymm2, %ymm3", {"avx2"}),
        ("vpbroadcastd %xmm1, %xmm2", {"avx2"}),
        ("vperm2i128 $1, %ymm1, %ymm2, %ymm3", {"avx2"}),
        ("vpgatherdd %xmm1, (%rax,%xmm2,4), %xmm3", {"avx2"}),
        ("vprotd $7, %xmm1, %xmm2", {"xop"}),
        ("vpperm %xmm1, %xmm2, %xmm3, %xmm4", {"xop"}),
        ("vaesenclast %xmm1, %xmm2, %xmm3", {"avx", "aes"}),
        ("vaesenclast %ymm1, %ymm2, %ymm3", {"vaes"}),
        ("vaesenclast %zmm1, %zmm2, %zmm3", {"avx512", "vaes"}),
        ("vgf2p8affineqb $0, %ymm1, %ymm2, %ymm3", {"avx", "gfni"}),
        ("vpaddd %zmm1, %zmm2, %zmm3", {"avx512"}),
        ("vpxord %xmm1, %xmm2, %xmm3", {"avx512"}),
        ("vprord $7, %ymm1, %ymm2", {"avx512"}),
        ("vpaddd %xmm16, %xmm2, %xmm3", {"avx512"}),
        ("vpaddd %ymm1, %ymm2, %ymm3{%k1}", {"avx512"}),
        ("vpternlogq $150, %ymm1, %ymm2, %ymm3", {"avx512"}),
        ("kmovw %eax, %k1", {"avx512"}),
        ("vpermb %zmm1, %zmm2, %zmm3", {"avx512vbmi"}),
        ("vpshldvd %zmm1, %zmm2, %zmm3", {"avx512vbmi2"}),
        ("vfmadd231ps %ymm1, %ymm2, %ymm3", {"fma"}),
    ]),
    r"aarch64|arm64": (ARM64_HEAD, [
        ("add x0, x1, x2", set()),
        ("bfi x0, x1, #3, #4", set()),
        ("fadd d0, d1, d2", set()),
        ("ldp q0, q1, [x0]", set()),
        ("add v0.4s, v1.4s, v2.4s", {"neon"}),
        ("tbl v0.16b, {v1.16b, v2.16b}, v3.16b", {"neon"}),
        ("sri v0.2d, v1.2d, #7", {"neon"}),
        ("pmull v0.8h, v1.8b, v2.8b", {"neon"}),
        ("pmull v0.1q, v1.1d, v2.1d", {"armaes"}),
        ("aese v0.16b, v1.16b", {"armaes"}),
        ("aesmc v0.16b, v1.16b", {"armaes"}),
        ("sha256h q0, q1, v2.4s", {"armsha2"}),
        ("eor3 v0.16b, v1.16b, v2.16b, v3.16b", {"armsha3"}),
        ("xar v0.2d, v1.2d, v2.2d, #63", {"armsha3"}),
        ("sm4e v0.4s, v1.4s", {"armsm"}),
        ("udot v0.4s, v1.16b, v2.16b", {"armdotprod"}),
        ("crc32x w0, w1, x2", {"armcrc"}),
        ("ldadd x0, x1, [x2]", {"lse"}),
        ("casal x0, x1, [x2]", {"lse"}),
        ("ldapr x0, [x1]", {"armrcpc"}),
        ("add z0.s, z1.s, z2.s", {"sve"}),
    ]),
    r"arm": (ARM32_HEAD, [
        ("add r0, r1, r2", set()),
        ("bfc r0, #3, #4", set()),
        ("umaal r0, r1, r2, r3", set()),
        ("vldr d0, [r0]", set()),
        ("vldmia r0, {d0, d1}", set()),
        ("vmov r0, r1, d2", set()),
        ("vmoveq.f64 d0, d1", set()),
        ("vadd.f32 s0, s1, s2", set()),
        ("vcvt.f64.u32 d0, s1", set()),
        ("vadd.f32 q0, q1, q2", {"neon"}),
        ("vmov.u8 r0, d1[2]", {"neon"}),
        ("veor d0, d1, d2", {"neon"}),
        ("vadd.i64 d0, d1, d2", {"neon"}),
        ("vld1.64 {d0, d1}, [r0]", {"neon"}),
        ("vtbl.8 d0, {d1, d2}, d3", {"neon"}),
        ("vorr q0, q1, q1", {"neon"}),
        ("aese.8 q0, q1", {"armaes"}),
        ("sha256h.32 q0, q1, q2", {"armsha2"}),
        ("crc32w r0, r1, r2", {"armcrc"}),
    ]),
}


def self_test(objdump, cc):
    """Assembles each instruction and checks it at a sufficient and at insufficient ISA levels."""
    machine = run([*cc, "-dumpmachine"]).strip()
    planted = next((lines for start, lines in PLANTED.items() if re.match(start, machine)), None)
    if planted is None:
        print(f"{' '.join(cc)} builds for {machine}, for which the self-test has no instructions")
        return 0
    failed, checked = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for text, needs in planted[1]:
            source, built = Path(folder) / "planted.s", Path(folder) / "planted.o"
            source.write_text(f"{planted[0]}.text\nplanted:\n\t{text}\n", encoding="utf-8")
            run([*cc, "-c", str(source), "-o", str(built)])
            listing = disassemble(objdump, [built])
            levels = [(needs, 0)] + [(needs - {one}, 1) for one in needs]
            for level, expected in levels:
                problems, count = check_listing(listing, lambda _unit, _baseline, t=level: t)
                checked += 1
                if len(problems) != expected or count != 1:
                    failed += 1
                    print(f"self-test: '{text}' within {sorted(level)}: {problems}")
    print(f"{checked - failed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("objects", nargs="*", type=Path)
    parser.add_argument("--objdump", default="objdump")
    parser.add_argument("--cc", default="cc", help="a compiler with its options")
    parser.add_argument("--granted-by", help="the compiler with its options, for what they allow")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test(arguments.objdump, shlex.split(arguments.cc))
    if not arguments.objects:
        parser.error("name the object files")
    isa = (CORE / "isa.def").read_text(encoding="utf-8")
    units, for_386, close = read_tiers(isa, (CORE / "cpu.def").read_text(encoding="utf-8"))

    compiler = shlex.split(arguments.granted_by or "")
    granted = granted_by(compiler) if compiler else set()
    listing = disassemble(arguments.objdump, arguments.objects)

    def level_of(unit, baseline):
        always = set() if unit in for_386 else baseline
        return close(always | granted | units.get(unit, set()))

    for machine in unknown_machines(listing):
        print(f"{machine}: the check does not know this machine's instructions")
    problems, count = check_listing(listing, level_of)
    for problem in problems[:50]:
        print(problem)
    if len(problems) > 50:
        print(f"... and {len(problems) - 50} more")
    objects = len(arguments.objects)
    print(f"{objects} objects, {count} instructions, {len(problems)} above their level")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
