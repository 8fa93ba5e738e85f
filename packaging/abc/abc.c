/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Succeeds if the library returns the digest of "abc" in RFC 7693, appendix A. */
#include <finalist.h>

int main(void)
{
    uint8_t digest[64];
    const fin_status status = fin_blake2b(digest, sizeof digest, "abc", 3, NULL, 0);
    return !(status == FIN_OK && digest[0] == 0xba && digest[63] == 0x23);
}
