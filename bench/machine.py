"""The machine that a figure was measured on, in words."""

import os
import re
from pathlib import Path


def cache_sizes():
    """{level: kB} of the first core, by what Linux says; empty elsewhere."""
    sizes = {}
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            kind = (folder / "type").read_text().strip()
            if kind != "Instruction":
                sizes[int((folder / "level").read_text())] = int((folder / "size").read_text().strip().rstrip("K"))
        except (OSError, ValueError):
            continue
    return sizes


def processor():
    """(name, vectors)."""
    try:
        info = Path("/proc/cpuinfo").read_text()
    except OSError:
        info = ""
    name = re.search(r"^model name\s*:\s*(.+)$", info, re.M)
    flags = set((re.search(r"^flags\s*:\s*(.+)$", info, re.M) or ["", ""])[1].split())
    simd = "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else "neither AVX2 nor AVX-512"
    return name[1].strip() if name else "a processor without a name", simd


def cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def size_in_words(kb):
    return f"{kb} kB" if kb < 1024 or kb % 1024 else f"{kb // 1024} MB"


def describe():
    """For example: AMD EPYC with AVX2, 2 cores, caches of 32 kB, 512 kB and 32 MB."""
    name, simd = processor()
    text = f"{name} with {simd}, {cores()} core{'s' * (cores() > 1)}"
    sizes = [size_in_words(kb) for _, kb in sorted(cache_sizes().items())]
    return text + (f", caches of {', '.join(sizes[:-1])} and {sizes[-1]}" if len(sizes) > 1 else "")


def short_name():
    """For a file, for example: amd-epyc-avx2-512-kb."""
    name, simd = processor()
    sizes = cache_sizes()
    words = f"{name} {simd if simd.startswith('AVX') else ''} {size_in_words(sizes[2]) if 2 in sizes else ''}"
    return re.sub(r"[^a-z0-9]+", "-", words.lower().replace("avx-512", "avx512")).strip("-")


if __name__ == "__main__":
    print(describe())
