package main

// inFlags returns the flag, or the command, for an option of the libraries. The messages of the libraries name options, and
// inFlags turns these into flags.
func inFlags(option string) string {
	switch option {
	case "T", "N":
		return "-" + option
	case "verbose":
		return "-v"
	case "npy":
		return " with --out DIR"
	case "kernel check":
		return "breadboard kernel check and --beta"
	case "toys export":
		return "breadboard toys export --out DIR"
	case "schedule optimize":
		return "breadboard schedule optimize --out DIR"
	case "sweep run":
		return "breadboard sweep run SPEC --out"
	}
	return "--" + option
}
