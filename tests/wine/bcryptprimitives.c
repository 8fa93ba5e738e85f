// SPDX-License-Identifier: MIT OR Apache-2.0
// The only function of Windows' bcryptprimitives.dll that Rust's standard library calls, for wine
// before version 9, which lacks that DLL.
#include <windows.h>

#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T bytes);

BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T bytes)
{
    while (bytes != 0) {
        ULONG part = bytes < 0x10000 ? (ULONG)bytes : 0x10000;
        if (!RtlGenRandom(data, part)) {
            return FALSE;
        }
        data += part;
        bytes -= part;
    }
    return TRUE;
}
