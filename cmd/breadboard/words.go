package main

// inFlags says how an option of the libraries is called on the command line. Messages of the libraries name options; this
// is where they become flags.
func inFlags(option string) string {
	switch option {
	case "T":
		return "-T"
	case "npy":
		return " with --out DIR"
	case "kernel check":
		return "breadboard kernel check and --beta"
	case "schedule optimize":
		return "breadboard schedule optimize --out DIR"
	case "sweep run":
		return "breadboard sweep run SPEC --out"
	}
	return "--" + option
}
