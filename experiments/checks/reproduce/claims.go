package reproduce

import (
	"bytes"
	"embed"
	"fmt"
	"maps"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

//go:embed claims
var tables embed.FS

// tests are the tests of claims that conditions of the table do not express, by the identifiers of
// the claims.
type tests map[string]func(a *Answers) bool

// ofClaims returns the tests in Go.
func ofClaims() tests {
	all := tests{}
	for _, some := range []tests{reliability(), aide(), sandwiching(), benchmark()} {
		maps.Copy(all, some)
	}
	return all
}

// paperFile is what the file of a paper has, as claims/bread.toml.
type paperFile struct {
	Claims  []Claim  `toml:"claim"`
	Figures []Figure `toml:"figure"`
}

// read returns the claims and figures of all papers, in the order of the papers, with whole command
// lines. It panics if a file, which is part of the program, cannot be read.
func read() (all paperFile) {
	var commands map[string]string
	decode("commands", &commands)
	whole := func(command string) string {
		if name, is := strings.CutPrefix(command, "$"); is {
			return commands[name]
		}
		return command
	}
	inGo := ofClaims()
	for _, paper := range keys() {
		var file paperFile
		decode(paper, &file)
		for _, c := range file.Claims {
			c.Holds = inGo[c.ID]
			if c.Conditions != nil {
				c.Holds = func(a *Answers) bool { return forAll(expand(c.Conditions), a.fulfil) }
			}
			c.Commands = texts(c.Commands, whole)
			all.Claims = append(all.Claims, c)
		}
		for _, f := range file.Figures {
			f.Paper, f.Command = paper, whole(f.Command)
			all.Figures = append(all.Figures, f)
		}
	}
	return all
}

// decode reads a file of claims, which has no other keys than those of its type.
func decode(name string, v any) {
	data, err := tables.ReadFile("claims/" + name + ".toml")
	if err == nil {
		err = toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(v)
	}
	if err != nil {
		panic(fmt.Sprintf("reproduce: the claims of %s: %v", name, err))
	}
}

// Claims returns the claims of all papers, in the order of the papers.
func Claims() []Claim { return read().Claims }

// Figures returns the figures of all papers.
func Figures() []Figure { return read().Figures }
