"""The rooms of the tree, in the order in which they may include one another, with what each holds.

The layer check takes the order from here, the trees in the documents take their lines from here. A
folder that is not listed fails the map check, so a new room starts with a line in this file.
"""

# A room of src/nhot includes only itself and rooms above it.
ROOMS = {
    "base": "errors, contracts, plain types, options",
    "random": "engine, independent streams by hashing, the door for all draws of a move",
    "shell": "reference, distance, the two sides; enumeration of small shells",
    "model": "Ising and QUBO, Boltzmann machine, RBM; generators",
    "state": "bits, energy and fields of a chain, its two sides; what it asks of an engine",
    "engine": "engines that pick a site by weight; dense/: vector code for dense couplings",
    "move": "swap, kawasaki, intracluster and others, one file each",
    "chain": "the hot loop; one virtual door to it; which model goes with which move; replicas/: 64 at once",
    "exact": "transition matrices of moves over all branches of their draws, against the law",
    "diagnose": "autocorrelation, effective sample size, R-hat: pure functions on spans",
    "trace": "what a run produces, as plain columns",
    "run": "a folder for every method: sample, temper, anneal, logz, compare, tune, reproduce; what they share",
    "result": "what is known of a run when it ends: facts, summaries, verdict",
    "io": "files: model/, run/, and what both stand on",
    "report": "HTML report and figures",
}

# Rooms that need nothing beyond the standard library, so that they can go into a Python wheel.
CORE = ("base", "random", "shell", "model", "state", "engine", "move", "chain", "exact", "diagnose", "trace", "run", "result")

# Folders of the top level, in the order of the map. Hidden folders are left out of it.
FOLDERS = {
    "src/nhot": "the library; each folder includes only itself and folders above it",
    "app": "the command line, one file per command",
    "python": "Python bindings and package",
    "tests": "mirrors src/nhot; plus whole-program tests, and checks of the checks",
    "bench": "one program per question; prints ratios measured in one run",
    "doc": "the guide: tutorials, methods, formats, results, how to add a move or a model",
    "examples": "short programs and inputs, run by the tests",
    "cmake": "compiler flags and options of the build",
    "scripts": "what make calls: install, build, test, and the checks on the sources",
}
