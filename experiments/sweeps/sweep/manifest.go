package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/experiments/subject"
)

// manifest is the file that says what a folder holds.
type manifest struct {
	Schema int                 `json:"schema"`
	Study  string              `json:"study"`
	Sweep  Key                 `json:"sweep"` // the hash of all else
	Cells  int                 `json:"cells"`
	Grid   map[string][]string `json:"grid,omitempty"`
	Zips   [][]string          `json:"zips,omitempty"`
	Cases  []map[string]string `json:"cases,omitempty"`
	Files  map[string]string   `json:"files,omitempty"`
	// Programs are those of the files that programs are made of, in their order.
	Programs []string `json:"programs,omitempty"`
}

// manifestName is the name of the manifest in the folder of a sweep.
const manifestName = "manifest.json"

// maxManifest bounds its size: the defaults that it spells out make it longer than the
// specification, though hardly this much.
const maxManifest = 64 * maxSpec

func (s *Sweep) manifest() manifest {
	m := manifest{
		Schema:   schema,
		Study:    s.study.Name,
		Sweep:    s.id,
		Cells:    s.Len(),
		Files:    s.files,
		Programs: s.programs,
	}
	if s.grid.values != nil {
		m.Grid = map[string][]string{}
		for k, p := range s.study.Parameters {
			m.Grid[p.Name] = s.grid.values[k]
		}
	}
	for _, zip := range s.grid.zips {
		var names []string
		for _, k := range zip {
			names = append(names, s.study.Parameters[k].Name)
		}
		m.Zips = append(m.Zips, names)
	}
	for _, c := range s.cases {
		m.Cases = append(m.Cases, c.byName())
	}
	return m
}

// key returns the hash of everything but the key.
func (m manifest) key() Key {
	m.Sweep = Key{}
	return keyOf(m)
}

func (m manifest) encode() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	return append(text, '\n'), err
}

// sameParameters fails for a grid or a case of another version, in which the study has other
// parameters than here: cells would be read as others.
func sameParameters[V any](study *subject.Question, values map[string]V) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, known := subject.FindParameter(study.Parameters, name); !known {
			return errs.New(
				"it was written by another version of breadboard, whose study %s has a parameter %s; use that version",
				study.Name,
				name,
			)
		}
	}
	for _, p := range study.Parameters {
		if _, there := values[p.Name]; !there {
			return errs.New(
				"it was written by another version of breadboard, whose study %s had no parameter %s; use "+
					"that version, or another folder",
				study.Name,
				p.Name,
			)
		}
	}
	return nil
}

// parseManifest returns the sweep of a manifest, which is of one of the studies. It fails if the
// manifest is not as it was written.
func parseManifest(studies Studies, text []byte) (*Sweep, error) {
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, errs.New(
			"the file is damaged: %w; restore a copy (a run of the same specification in a new folder writes one)",
			err,
		)
	}
	if err := selector.CheckSchema(m.Schema, schema); err != nil {
		return nil, err
	}
	if m.key() != m.Sweep {
		return nil, fmt.Errorf("the contents do not match the hash %s: the file has changed", m.Sweep)
	}
	study, err := studyNamed(studies, m.Study)
	if err != nil {
		return nil, errs.New("%w; was it written by another version of breadboard?", err)
	}
	s := &Sweep{studies: studies, study: study, files: m.Files, programs: m.Programs, id: m.Sweep}
	if s.files == nil {
		s.files = map[string]string{}
	}
	var values [][]string
	if m.Grid != nil {
		if err := sameParameters(study, m.Grid); err != nil {
			return nil, err
		}
		for _, p := range study.Parameters {
			values = append(values, m.Grid[p.Name])
		}
	}
	var zips [][]int
	for _, names := range m.Zips {
		var zip []int
		for _, name := range names {
			zip = append(zip,
				slices.IndexFunc(study.Parameters, func(p subject.Parameter) bool { return p.Name == name }))
		}
		zips = append(zips, zip)
	}
	s.grid = newCombinations(values, zips)
	for _, c := range m.Cases {
		if err := sameParameters(study, c); err != nil {
			return nil, err
		}
		s.cases = append(s.cases, cellOf(study.Parameters, func(k int) string { return c[study.Parameters[k].Name] }))
	}
	return s, nil
}

// maxInput bounds the size of a file that a cell names: the largest that any selector reads.
const maxInput = 1 << 30

// stageMark stands in the path of a kernel's matrices for the number of the stage, from 2 on.
const stageMark = "{t}"

// files returns the paths of the files that the selectors of a cell name (see selectorFiles).
func (c Cell) files(forms subject.Forms, there func(path string) bool) []string {
	var paths []string
	for _, p := range c {
		paths = append(paths, selectorFiles(forms, p.Value, there)...)
	}
	return paths
}

// cellFiles returns the paths of the files on which a cell depends: those that its selectors name,
// and those of its program.
func (s *Sweep) cellFiles(c Cell) []string {
	if len(s.files) == 0 {
		// no cell has any, and to look for the forms of selectors takes longer than to solve a
		// small cell
		return nil
	}
	paths := c.files(s.studies.Forms, s.known)
	if c.program() {
		paths = append(paths, s.programs...)
	}
	return paths
}

// FilesOf returns the paths of the files that a selector of any parameter names. If it names a file
// for each stage these are the existing files.
func FilesOf(forms subject.Forms, selector string) []string {
	return selectorFiles(forms, selector, fileExists)
}

// selectorFiles returns the paths of the files that a selector names. Where it names a file for
// each stage, with a mark for the number of the stage, these are the files that are there.
func selectorFiles(forms subject.Forms, text string, there func(path string) bool) (paths []string) {
	_, text = selector.SplitName(text)
	name, path, _ := strings.Cut(text, ":")
	switch {
	case name == "matrix" && strings.Contains(numpy.FileOf(path), stageMark):
		for t := 2; ; t++ {
			stage := strings.ReplaceAll(numpy.FileOf(path), stageMark, strconv.Itoa(t))
			if !there(stage) {
				return paths
			}
			paths = append(paths, stage)
		}
	case name == "matrix":
		return []string{numpy.FileOf(path)}
	}
	return forms.FilesOf(text)
}

// fileExists reports whether there is something at a path.
func fileExists(path string) bool { _, err := os.Stat(path); return err == nil }

// hashFile returns the hash of a file's contents in hexadecimal digits.
func hashFile(path string) (string, error) {
	data, err := selector.ReadFile(path, maxInput)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// unchanged fails if a file of the cell is not what it was when the sweep was read.
func (s *Sweep) unchanged(c Cell) error {
	for _, path := range s.cellFiles(c) {
		now, err := hashFile(path)
		if err != nil {
			return fmt.Errorf("%s, which the sweep needs, cannot be read any more: %w", path, err)
		}
		if now != s.files[path] {
			return errs.New("%s has changed since the sweep started to read it; restore the old file, or sweep the "+
				"new one into another folder",
				path)
		}
	}
	return nil
}
