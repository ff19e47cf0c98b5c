package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"
)

// folder has a folder for each published package, and in it the adapters and the checks of that
// package.
const folder = "experiments/checks/published"

// published is a package that others have published, as its checks.toml describes it.
type published struct {
	Package  string   // the name under which people know it
	Language string   // of its adapters
	Debian   []string // the packages of Debian that it needs
	NPM      []string // the modules of npm, with their versions
	Version  string   // a command that prints the version that is installed
	Checks   []check

	folder string
}

// check is a claim about a package, and how it is tested. Command and Control are lines for bash,
// in which SEED stands for a number. They run the same adapter and have opposite verdicts: Control
// has a planted mistake if the package is right, and a right algorithm if it is not. Kind is for
// faults: a contradiction of the documentation or of comments, or a common misuse. Unknown is
// whether no earlier report of the fault was found. Same names an earlier check of the package that
// found the same fault, so that it is counted once.
type check struct {
	Name, Function, Claim, Source string
	Command, Verdict, Control     string
	Kind                          string
	Unknown                       bool
	Finding, Known, Told, Same    string
}

// The kinds of a fault.
const (
	contradiction = "contradiction"
	misuse        = "misuse"
)

// load reads the checks of all packages below the root of a clone, in the order of their folders.
func load(root string) ([]published, error) {
	files, err := filepath.Glob(filepath.Join(root, folder, "*", "checks.toml"))
	if err != nil {
		return nil, err
	}
	all := make([]published, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		all[i], err = parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all[i].folder = filepath.Dir(file)
	}
	return all, nil
}

// parse reads a checks.toml, and refuses it if anything is missing, unknown or given twice.
func parse(text []byte) (published, error) {
	var p published
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&p); err != nil {
		if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok {
			return p, errors.New(strict.String())
		}
		return p, err
	}
	if p.Package == "" || p.Language == "" || p.Version == "" || len(p.Checks) == 0 {
		return p, errors.New("package, language, version and checks must be there")
	}
	for i, c := range p.Checks {
		if err := c.complete(); err != nil {
			return p, fmt.Errorf("check %q: %w", c.Name, err)
		}
		if slices.ContainsFunc(p.Checks[:i], func(d check) bool { return d.Name == c.Name }) {
			return p, fmt.Errorf("there are two checks %q", c.Name)
		}
		if c.Same != "" && !slices.ContainsFunc(p.Checks[:i], func(d check) bool { return d.Name == c.Same }) {
			return p, fmt.Errorf("check %q: no check %q is before it", c.Name, c.Same)
		}
	}
	return p, nil
}

func (c check) complete() error {
	for _, text := range []string{
		c.Name, c.Function, c.Claim, c.Source, c.Command, c.Control, c.Finding, c.Known} {
		if text == "" {
			return errors.New("name, function, claim, source, command, control, finding and known must be there")
		}
	}
	if c.Verdict != pass && c.Verdict != fault {
		return fmt.Errorf("the verdict is %q; it is %s or %s", c.Verdict, pass, fault)
	}
	if c.Verdict == fault && c.Kind != contradiction && c.Kind != misuse {
		return fmt.Errorf("the kind is %q; a fault is a %s or a %s", c.Kind, contradiction, misuse)
	}
	if c.Verdict == pass && (c.Kind != "" || c.Unknown) {
		return errors.New("only faults have a kind and are unknown")
	}
	if c.Told != "tried" && c.Told != "read" {
		return fmt.Errorf(
			"told is %q; it is tried if the check found the mistake, and read if it was seen in the source before",
			c.Told,
		)
	}
	return nil
}

// opposite is the verdict of the control.
func (c check) opposite() string {
	if c.Verdict == pass {
		return fault
	}
	return pass
}
