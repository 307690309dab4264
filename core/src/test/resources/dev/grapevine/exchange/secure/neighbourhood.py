"""Makes neighbourhood.txt: every byte of one round of secure aggregation with double masks.

An implementation of its own, with python3-cryptography and nothing of Grapevine: three senders
(nodes 1, 4, 6) and receiver 9 in round 7 of channel 2, six values each; with the two check words a
message has eight numbers. Once all answer; once node 4 is lost before it sends.

    python3 neighbourhood.py > neighbourhood.txt
"""

import hashlib
import struct

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

SESSION = bytes(range(100, 116))
SENDERS = [1, 4, 6]
WEIGHTS = [0.25, 0.125, 0.3]
RECEIVER, ROUND, CHANNEL = 9, 7, 2
COUNT, BITS, RANGE, PARTNERS, LEAST = 6, 32, 64, 16, 2
FRACTION = 25
M32, M64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF
LABEL = b"grapevine secure aggregation "
GAMMA = 0x9E3779B97F4A7C15


def filled(label, node, length):
    """Secrets that the test feeds in too."""
    return hashlib.shake_128(f"{label} {node}".encode()).digest(length)


def values(node):
    words = struct.unpack(f"<{COUNT}i", filled("values", node, 4 * COUNT))
    return [struct.unpack("<f", struct.pack("<f", word / 2**29))[0] for word in words]


def pair(a, b):
    ours = X25519PrivateKey.from_private_bytes(filled("key", a, 32))
    theirs = X25519PrivateKey.from_private_bytes(filled("key", b, 32)).public_key()
    agreed = ours.exchange(X25519PublicKey.from_public_bytes(theirs.public_bytes_raw()))
    info = LABEL + b"pair" + struct.pack(">ii", min(a, b), max(a, b))
    keys = HKDF(algorithm=hashes.SHA256(), length=48, salt=SESSION, info=info).derive(agreed)
    return keys[:32], keys[32:]


def seed(a, b):
    block = b"MASK" + struct.pack(">iii", RECEIVER, ROUND, CHANNEL)
    encryptor = Cipher(algorithms.AES(pair(a, b)[0]), modes.ECB()).encryptor()
    return encryptor.update(block) + encryptor.finalize()


def stream(key, count):
    encryptor = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
    return struct.unpack(f"<{count}I", encryptor.update(bytes(4 * count)) + encryptor.finalize())


def finish(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M64
    return z ^ (z >> 31)


def mix(start, purpose):
    return finish(finish((start + GAMMA) & M64) ^ ((purpose * GAMMA + 0x632BE59BD9B4E019) & M64))


def check(node):
    word = mix(struct.unpack(">Q", SESSION[:8])[0], node)
    word = mix(word, (RECEIVER << 32) ^ ROUND)
    return [1, mix(word, CHANNEL) & M32]


def set_hash():
    slot = SESSION + struct.pack(">iii", RECEIVER, ROUND, CHANNEL)
    members = b"".join(struct.pack(">id", n, w) for n, w in zip(SENDERS, WEIGHTS))
    rest = struct.pack(">iiiiii", COUNT, BITS, RANGE, PARTNERS, LEAST, 1)
    return hashlib.sha256(slot + members + rest).digest()[:8]


def times(a, b):
    """In GF(2^8), bit by bit."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        if a & 0x100:
            a ^= 0x11B
        b >>= 1
    return product


def numbers(node):
    limit = RANGE * (1 - 2**-20)
    weight = WEIGHTS[SENDERS.index(node)]
    # Python rounds halves to even, as IEEE does.
    return [round(max(-limit, min(limit, v)) * weight * 2**FRACTION) for v in values(node)]


def masked(node):
    # The two partners' shares need a polynomial of degree one: threshold 2 // 2 + 1 = 2.
    secrets = filled("secrets", node, 32)
    own, slope = secrets[:16], secrets[16:]
    total = [n & M32 for n in numbers(node) + check(node)]
    others = [peer for peer in SENDERS if peer != node]
    for key, sign in [(own, 1)] + [(seed(node, p), 1 if node < p else -1) for p in others]:
        total = [(t + sign * s) & M32 for t, s in zip(total, stream(key, len(total)))]
    sealed = b""
    for place, peer in enumerate(others):
        share = bytes(o ^ times(s, place + 1) for o, s in zip(own, slope))
        nonce = struct.pack(">iiI", RECEIVER, ROUND, CHANNEL << 24 | node)
        sealed += AESGCM(pair(node, peer)[1]).encrypt(nonce, share, None)
    return set_hash() + struct.pack(f"<{len(total)}I", *total) + sealed


def show(name, data):
    print(name, data.hex() if isinstance(data, bytes) else " ".join(str(d) for d in data))


def opened(came):
    total = [sum(numbers(node)[i] for node in came) for i in range(COUNT)]
    weight = sum(WEIGHTS[SENDERS.index(node)] for node in came)
    return [t * 2.0**-FRACTION / weight for t in total]


def reveal(helper, came):
    secrets = filled("secrets", helper, 32)
    shares, seeds = b"", b""
    for owner in SENDERS:
        if owner == helper:
            continue
        if owner in came:
            theirs = filled("secrets", owner, 32)
            place = [p for p in SENDERS if p != owner].index(helper)
            shares += bytes(o ^ times(s, place + 1) for o, s in zip(theirs[:16], theirs[16:]))
        else:
            seeds += seed(helper, owner)
    opened_bits = (1 << (len(came) - 1)) - 1
    return bytes([CHANNEL]) + secrets[:16] + bytes([opened_bits]) + shares + seeds


for node in SENDERS:
    public = X25519PrivateKey.from_private_bytes(filled("key", node, 32)).public_key()
    show(f"secret {node}", filled("key", node, 32))
    show(f"public {node}", public.public_bytes_raw())
    show(f"secrets {node}", filled("secrets", node, 32))
    show(f"values {node}", [v.hex() for v in values(node)])
    show(f"masked {node}", masked(node))
for came in ([1, 4, 6], [1, 6]):
    name = "+".join(str(node) for node in came)
    for node in came:
        show(f"reveal {name} {node}", reveal(node, came))
    show(f"mean {name}", [struct.unpack("<f", struct.pack("<f", v))[0].hex() for v in opened(came)])
