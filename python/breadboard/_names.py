"""The commands below each command, by its words. python/stub.py makes this file."""
from typing import Dict, Tuple

COMMANDS: Dict[str, Tuple[str, ...]] = {
    "": (
        "tightness", "gap", "weights", "schedule", "subjective", "success", "represent", "ais",
        "smc", "aide", "policy", "evidence", "sandwich", "samplers", "couple", "temper", "network",
        "conform", "kernel", "sbc", "power", "vectors", "sweep", "toys", "export", "report",
        "reproduce",
    ),
    "schedule": (
        "optimize", "compare",
    ),
    "smc": (
        "gibbs",
    ),
    "aide": (
        "check",
    ),
    "policy": (
        "best", "twist",
    ),
    "evidence": (
        "check",
    ),
    "sandwich": (
        "compare", "table", "represent", "fit",
    ),
    "samplers": (
        "errors", "times", "laws", "diagnose", "calibrate", "meta", "corpus",
    ),
    "couple": (
        "best", "unbiased",
    ),
    "temper": (
        "ladder", "z", "compare",
    ),
    "conform": (
        "spec", "check", "run", "estimates", "draws", "chain", "ranks", "joint", "vectors",
        "posterior",
    ),
    "kernel": (
        "check",
    ),
    "sweep": (
        "plan", "run", "status", "merge", "submit",
    ),
    "toys": (
        "show", "export",
    ),
    "reproduce": (
        "aide",
    ),
}
