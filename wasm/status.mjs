// SPDX-License-Identifier: MIT OR Apache-2.0
/** A FinalistError's status: fin_status of the C header without FIN_ and ERR_. */
export const Status = Object.freeze({
  OK: 0,
  NULL: 1,
  ALGORITHM: 2,
  DIGEST_LENGTH: 3,
  KEY_LENGTH: 4,
  SALT_LENGTH: 5,
  PERSONAL_LENGTH: 6,
  TREE_MODE: 7,
  STATE: 8,
  KEY_WIPED: 9,
  OUTPUT_LENGTH: 10,
  MESSAGE_LENGTH: 11,
  BLOCK_LENGTH: 12,
  BITS: 13,
  MIDSTATE: 14,
  IMPL_UNKNOWN: 15,
  IMPL_UNSUPPORTED: 16,
  ENVIRONMENT: 17,
  INDEX: 18,
  PROOF: 19,
  COLUMN: 20,
  DERIVE_KEY: 21,
});

export class FinalistError extends Error {
  constructor(message, status) {
    super(message);
    this.name = "FinalistError";
    this.status = status;
  }
}
