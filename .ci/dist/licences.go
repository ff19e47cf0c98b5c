package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"breadboard/python"
)

// thirdParty is the file with the licences of all that the program is made of, which the program
// has in it.
const thirdParty = "cmd/breadboard/THIRD_PARTY"

// module is a part of the program with its licences, by their names in SPDX, and their texts.
type module struct {
	path, version string
	names, texts  []string
}

// phrases are what tells a licence from those below it, with its name in SPDX.
var phrases = [][2]string{
	{"Apache License", "Apache-2.0"}, {"SIL OPEN FONT LICENSE", "OFL-1.1"},
	{"Creative Commons Attribution 4.0", "CC-BY-4.0"}, {"The FreeType Project LICENSE", "FTL"},
	{"Boost Software License", "BSL-1.0"}, {"Sun Microsystems", "SunPro"},
	{"by Ignace Bogaert", "LicenseRef-Bogaert"},
	{"to endorse or promote", "BSD-3-Clause"},
	{"Redistribution and use in source and binary forms", "BSD-2-Clause"},
	{"Permission is hereby granted, free of charge", "MIT"},
}

// licenceFiles are the patterns of the files of a module that have its licences. Freetype leaves
// the choice between two. What gonum has of the W3C is no part of the program.
func licenceFiles(path string) []string {
	if path == "github.com/golang/freetype" {
		return []string{"licenses/ftl.txt"}
	}
	return []string{"LICENSE", "LICENSE.*", "LICENSE-SIL", "LICENCE*", "COPYING*", "NOTICE*",
		"THIRD_PARTY_LICENSES/[^W]*"}
}

// modules returns breadboard, Go and all modules that the program is made of on some platform, or
// the page. It fails if a module has no licence, or one that phrases does not name.
func modules() (list []module, err error) {
	root, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	found := map[string]string{"breadboard (own)": ".", "Go (own)": root}
	for _, p := range append(platforms(), platform{system: "js", processor: "wasm"}) {
		program := "./cmd/breadboard"
		if p.system == "js" {
			program = "./cmd/benchwasm"
		}
		listed, err := output("env", "GOOS="+p.system, "GOARCH="+p.processor, "GOFLAGS=", "CGO_ENABLED=0",
			"go", "list", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", program)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(listed) {
			if words := strings.Fields(line); len(words) == 3 {
				found[words[0]+" "+words[1]] = words[2]
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		m := module{}
		m.path, m.version, _ = strings.Cut(name, " ")
		for _, pattern := range licenceFiles(m.path) {
			files, err := filepath.Glob(filepath.Join(found[name], pattern))
			if err != nil {
				return nil, err
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				i := slices.IndexFunc(phrases, func(p [2]string) bool { return strings.Contains(string(text), p[0]) })
				if err != nil || i < 0 {
					return nil, errors.Join(err, fmt.Errorf("%s: which licence is this?", file))
				}
				m.texts = append(m.texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r", "")))
				if id := phrases[i][1]; !slices.Contains(m.names, id) {
					m.names = append(m.names, id)
				}
			}
		}
		if m.texts == nil {
			return nil, fmt.Errorf("%s has no licence in %s", name, found[name])
		}
		list = append(list, m)
	}
	return list, nil
}

// licences returns the text of THIRD_PARTY: a line for each module, and each licence once.
func licences(list []module) string {
	var head, texts strings.Builder
	head.WriteString(`breadboard is made of these modules. Each line has a module, its version and its
licences. Their texts follow. svgo is by Anthony Starks, and is used unchanged.
Portions of this software are copyright 2010 The FreeType Project
(www.freetype.org). All rights reserved.

`)
	of := map[string][]string{}
	var order []string
	for _, m := range list {
		fmt.Fprintf(&head, "%s %s %s\n", m.path, m.version, strings.Join(m.names, ","))
		for _, text := range m.texts {
			if of[text] == nil {
				order = append(order, text)
			}
			of[text] = append(of[text], m.path)
		}
	}
	for _, text := range order {
		fmt.Fprintf(&texts, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(of[text], "\n"), text)
	}
	return head.String() + texts.String()
}

// bill returns what the packages are made of, as CycloneDX 1.6.
func bill(list []module) ([]byte, error) {
	type object map[string]any
	component := func(m module) object {
		kind := "library"
		name := m.path
		version := m.version
		reference := "pkg:golang/" + name + "@" + version
		switch name {
		case "breadboard":
			kind, version = "application", python.Version()
			reference = "pkg:generic/breadboard@" + version
		case "Go":
			name, version = "std", strings.TrimPrefix(runtime.Version(), "go")
			reference = "pkg:golang/std@" + version
		}
		var names []object
		for _, id := range m.names {
			key := "id"
			if strings.HasPrefix(id, "LicenseRef-") {
				key = "name"
			}
			names = append(names, object{"license": object{key: id}})
		}
		return object{"type": kind, "bom-ref": reference, "name": name, "version": version, "purl": reference,
			"licenses": names}
	}
	var components []object
	var whole object
	for _, m := range list {
		if m.path == "breadboard" {
			whole = component(m)
		} else {
			components = append(components, component(m))
		}
	}
	return json.MarshalIndent(object{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": object{"component": whole},
		"components": components}, "", "  ")
}
