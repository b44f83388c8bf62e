#!/usr/bin/env python3
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Writes auth_vectors.txt: golden values of DH-HMAC-CHAP and of TLS keys, for C and Java.

They are made with Python's own hashes and integers alone, from the text of the NVMe specifications,
RFC 5869, RFC 7919 and RFC 8446, so that they share nothing with either implementation.
Fields of a line are separated by tabs; bytes are in hexadecimal, "-" stands for none:

  group  id, sha256 of the prime, private exponent, public value of the peer, shared secret
  chap   hash, host's secret, controller's secret, host, subsystem, transaction, S1, C1, S2, C2,
         shared secret, response of the host, response of the controller
  tls    key, host, subsystem, version, identity, pre-shared key
"""

import base64
import hashlib
import hmac
import pathlib
import zlib

HOST = "nqn.2014-08.org.nvmexpress:uuid:00000000-0000-0000-0000-000000000001"
SUBSYSTEM = "nqn.2026-11.org.luceneoffload:csd"
NAMES = {1: "sha256", 2: "sha384", 3: "sha512"}
# RFC 7919, appendix A: p = 2^b - 2^(b-64) + {[2^(b-130) e] + X} 2^64 - 1
GROUPS = {1: (2048, 560316), 2: (3072, 2625351), 3: (4096, 5736041), 4: (6144, 15705020),
          5: (8192, 10965728)}


def stream(label, count):
    """Bytes that anybody can make again."""
    return hashlib.shake_256(label.encode()).digest(count)


def mac(hash_id, key, *parts):
    return hmac.new(key, b"".join(parts), NAMES[hash_id]).digest()


def e_times_2_to(bits):
    guard = bits + 64
    term = total = 1 << guard
    k = 0
    while term:
        k += 1
        term //= k
        total += term
    return total >> 64


def prime(group):
    bits, x = GROUPS[group]
    return 2**bits - 2**(bits - 64) + (e_times_2_to(bits - 130) + x) * 2**64 - 1


def interchange(kind, hash_id, key):
    checked = key + zlib.crc32(key).to_bytes(4, "little")
    return f"{kind}:{hash_id:02}:{base64.b64encode(checked).decode()}:"


def transformed(hash_id, key, name):
    return key if hash_id == 0 else mac(hash_id, key, name.encode(), b"NVMe-over-Fabrics")


def response(hash_id, key, challenge, session, sequence, transaction, role, first, second):
    if session:
        challenge = mac(hash_id, hashlib.new(NAMES[hash_id], session).digest(), challenge)
    return mac(hash_id, key, challenge, sequence.to_bytes(4, "little"),
               transaction.to_bytes(2, "little"), b"\0", role, first.encode(), b"\0",
               second.encode())


def group_line(group):
    p = prime(group)
    size = GROUPS[group][0] // 8
    mine = int.from_bytes(stream(f"mine {group}", 40), "big")
    turn = 0
    while True:  # a secret that begins with a zero byte, which must not be lost
        theirs = int.from_bytes(stream(f"theirs {group} {turn}", 40), "big")
        public = pow(2, theirs, p)
        secret = pow(public, mine, p).to_bytes(size, "big")
        if group > 1 or secret[0] == 0:
            break
        turn += 1
    digest = hashlib.sha256(p.to_bytes(size, "big")).hexdigest()
    return secret, ["group", str(group), digest, f"{mine:x}", public.to_bytes(size, "big").hex(),
                    secret.hex()]


def chap_line(hash_id, secret_hash, key_bytes, session):
    label = f"{hash_id} {secret_hash} {key_bytes}"
    key, controller = stream("host " + label, key_bytes), stream("controller " + label, key_bytes)
    size = hashlib.new(NAMES[hash_id]).digest_size
    c1, c2 = stream("c1 " + label, size), stream("c2 " + label, size)
    s1, s2, transaction = 0x80000001 + hash_id, 7 + secret_hash, 0xA000 + key_bytes
    first = response(hash_id, transformed(secret_hash, key, HOST), c1, session, s1, transaction,
                     b"HostHost", HOST, SUBSYSTEM)
    second = response(hash_id, transformed(secret_hash, controller, SUBSYSTEM), c2, session, s2,
                      transaction, b"Controller", SUBSYSTEM, HOST)
    return ["chap", str(hash_id), interchange("DHHC-1", secret_hash, key),
            interchange("DHHC-1", secret_hash, controller), HOST, SUBSYSTEM, str(transaction),
            str(s1), c1.hex(), str(s2), c2.hex(), session.hex() or "-", first.hex(), second.hex()]


def expand_label(hash_id, secret, label, context, length):
    extracted = mac(hash_id, bytes(hashlib.new(NAMES[hash_id]).digest_size), secret)
    label = b"tls13 " + label
    info = (length.to_bytes(2, "big") + bytes([len(label)]) + label + bytes([len(context)]) +
            context)
    return mac(hash_id, extracted, info, b"\x01")[:length]


def tls_lines(hash_id, key_hash):
    size = hashlib.new(NAMES[hash_id]).digest_size
    key = stream(f"tls {hash_id} {key_hash}", size)
    retained = key
    if key_hash:
        retained = expand_label(key_hash, key, b"HostNQN", HOST.encode(), size)
    digest = base64.b64encode(mac(hash_id, retained, HOST.encode(), b" ", SUBSYSTEM.encode(), b" ",
                                  b"NVMe-over-Fabrics")).decode()
    old = f"NVMe0R{hash_id:02} {HOST} {SUBSYSTEM}"
    new = f"NVMe1R{hash_id:02} {HOST} {SUBSYSTEM} {digest}"
    for version, identity, context in ((0, old, old), (1, new, f"{hash_id:02} {digest}")):
        psk = expand_label(hash_id, retained, b"nvme-tls-psk", context.encode(), size)
        yield ["tls", interchange("NVMeTLSkey-1", key_hash, key), HOST, SUBSYSTEM, str(version),
               identity, psk.hex()]


def main():
    lines, sessions = [], {}
    for group in GROUPS:
        sessions[group], line = group_line(group)
        lines.append(line)
    for hash_id in NAMES:
        for secret_hash, key_bytes in ((0, 32), (1, 32), (2, 48), (3, 64)):
            for session in (b"", sessions[1], sessions[2]):
                lines.append(chap_line(hash_id, secret_hash, key_bytes, session))
    for hash_id, key_hash in ((1, 0), (1, 1), (2, 2), (2, 0)):
        lines.extend(tls_lines(hash_id, key_hash))
    path = pathlib.Path(__file__).with_name("auth_vectors.txt")
    path.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="ascii")


if __name__ == "__main__":
    main()
