// Package python answers: which version is this? The module for users of Python names it, for the
// program too.
package python

import (
	_ "embed"
	"strings"
)

//go:embed breadboard/_version.py
var module string

// Version returns the version of the project, as 0.1.0, which is written in the module for users of
// Python alone.
func Version() string {
	_, after, _ := strings.Cut(module, "\n__version__ = \"")
	version, _, _ := strings.Cut(after, "\"")
	return version
}
