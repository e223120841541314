"""Limit this process by means of Linux, which bind native code too: Landlock and seccomp.

Landlock limits what files a process can open, seccomp what it can ask the kernel. Both hold until
the process and its children end. Not every kernel has them.
"""

import ctypes
import os
import platform
import struct
import sys

IS_LINUX = sys.platform == "linux"
NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER = 38, 22, 2  # of prctl
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION, PATH_BENEATH = 1, 1
# Rights of Landlock, by the version that knows them all; older ones know fewer.
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # bits; later versions have 16
READ_FILE, READ_DIR = 1 << 2, 1 << 3
SIGNALS, SIGNALS_SINCE = 1 << 1, 6  # scope: signals to processes outside
# What a program reads: its code and time zones.
PROGRAM = ("/usr", "/lib", "/lib64")
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# Calls that Landlock does not cover and that reach networks, programs, other processes or devices,
# leave the group of the process, or change whom files belong to: their numbers on x86_64 and on
# aarch64, which lacks some.
CALLS = {
    "socket": (41, 198), "socketpair": (53, 199), "io_uring_setup": (425, 425),
    "execve": (59, 221), "execveat": (322, 281), "setpgid": (109, 154), "setsid": (112, 157),
    "kill": (62, 129), "tkill": (200, 130), "pidfd_send_signal": (424, 424),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "ptrace": (101, 117),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438), "chmod": (90, None), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None),
    "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88), "setxattr": (188, 5),
    "lsetxattr": (189, 6), "removexattr": (197, 14), "lremovexattr": (198, 15), "mount": (165, 40),
    "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97),
    "setns": (308, 268), "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "perf_event_open": (298, 241),
    "bpf": (321, 280), "userfaultfd": (323, 282),
}  # fmt: skip
# Steps of a filter: load a word, compare, return. Offsets are those of struct seccomp_data.
LOAD, EQUALS, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, ARCHITECTURE = 0, 4
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050001, 0x80000000  # REFUSE: with EPERM
OTHER_ABI = 0x40000000  # x32, whose calls have other numbers


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _landlock() -> int:
    """Return the version of Landlock; 0 if the kernel lacks it."""
    return max(_libc().syscall(CREATE_RULESET, None, 0, VERSION), 0) if IS_LINUX else 0


def lacking() -> list[str]:
    has_seccomp = IS_LINUX and platform.machine() in ARCHITECTURES
    means = {"Landlock": _landlock() > 0, "seccomp": has_seccomp}
    return [name for name, is_there in means.items() if not is_there]


def restrict() -> None:
    """Let this process read only the program, and what is open. Raises OSError if the kernel has a
    means, but refuses it."""
    libc, means = _libc(), lacking()
    if IS_LINUX:
        _check(libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    if "Landlock" not in means:
        version = _landlock()
        handled = [(1 << RIGHTS.get(version, 16)) - 1]
        # The filter lets a process signal its own threads, as `abort` does.
        handled += [0, SIGNALS] if version >= SIGNALS_SINCE else []
        attributes = struct.pack(f"{len(handled)}Q", *handled)
        rules = libc.syscall(CREATE_RULESET, attributes, len(attributes), 0)
        _check(rules)
        for path in filter(os.path.isdir, {sys.prefix, sys.base_prefix, *sys.path, *PROGRAM}):
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            rule = struct.pack("=Qi", READ_FILE | READ_DIR, descriptor)
            _check(libc.syscall(ADD_RULE, rules, PATH_BENEATH, rule, 0))
            os.close(descriptor)
        _check(libc.syscall(RESTRICT_SELF, rules, 0))
        os.close(rules)
    if "seccomp" not in means:
        _check(libc.prctl(SET_SECCOMP, FILTER, _filter(), 0, 0))


def _filter() -> ctypes.Array[ctypes.c_char]:
    """Return a filter that refuses the calls. Jumps count the steps to skip."""
    column = [*ARCHITECTURES].index(platform.machine())
    numbers = (row[column] for row in CALLS.values())
    calls = [number for number in numbers if number is not None]
    steps = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUALS, 1, 0, ARCHITECTURES[platform.machine()]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, len(calls) + 1, 0, OTHER_ABI),
        *((EQUALS, len(calls) - place, 0, call) for place, call in enumerate(calls)),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]
    content = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    head = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(content))
    program = ctypes.create_string_buffer(head)
    program.steps = content  # type: ignore[attr-defined]
    return program


def _check(result: int) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"the sandbox cannot start: {os.strerror(number)}")
