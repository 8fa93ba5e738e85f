{
  "format": "finalist-manifest-proof-2",
  "algorithm": "blake2b",
  "digest_bits": 64,
  "keyed": false,
  "salt": "",
  "personal": "",
  "leaf_count": 4,
  "index": 0,
  "row": {
    "path": "612e63",
    "size": 3,
    "digest": "d8bb14d833d59559",
    "status": "ok"
  },
  "hashes": [
    "da5ea0dcf7fdf80b",
    "243b3654d27552ad"
  ]
}
