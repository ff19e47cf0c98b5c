// Package sweep answers: what is the result of a study for every combination of parameters? It
// reads a specification of thousands to millions of cases, has a study solve each once, and stores
// every result so that no acknowledged result is lost when the machine is switched off. Its callers
// provide the studies. It solves nothing itself and never prints.
//
// # The folder
//
// A sweep is stored in a folder:
//
//	manifest.json        the parameters of every cell and the hashes of their files; never changed
//	manifest-KEY.json    the manifest of a sweep that the folder had before it was extended
//	shard-2-of-6.jsonl   results, one checksummed JSON line each, only ever appended to
//	shard-2-of-6.lock    held while a process writes that shard; it names the process
//	shard-2-of-6.log     when, where and how long: not part of the results
//
// A cell is identified by a hash of its canonical parameters, of the contents of the files that
// they name, or of which its kernel's program is made, of the study, and of the schema version. A
// result counts when its line has been written with one call and the file has been synced; lines
// are synced in groups. After a failed write or sync nothing more is acknowledged, and a sync is
// never tried again: the operating system may have dropped unwritten data, which is cut off if
// possible.
//
// The next start syncs all existing results, since their writer may have ended before, and cuts off
// everything after the last newline, since no acknowledged line can be there. A complete line that
// does not match its checksum is not an interrupted write: reading stops with file, line and
// offset, and the file is not changed. So does a line with a right checksum that is not a result:
// a field is missing or unknown, the cell does not match the key, or the values contradict each
// other. Run, ReadStatus and Merge read through one collector and fail for the same reasons,
// including two different results of a cell.
package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid"
)

// schema is raised when a field of a result changes its meaning or its digits: results of another
// schema are of other cells.
const schema = 2

// maxCells is the largest number of cells of one sweep.
const maxCells = 10_000_000

// Sweep is the list of cells of a specification, in the order of every merged result: the grid, toy
// by toy with the last parameter of the study changing fastest, and then the cases. All selectors
// are in canonical form. It is immutable.
type Sweep struct {
	studies Studies // that the manifests of its folders may name
	study   *subject.Question
	grid    combinations
	cases   []Cell            // beside the grid
	files   map[string]string // the hash of the contents of every file that a cell depends on, by path
	// of each toy whose states are listed; empty if the sweep comes from a manifest
	spaces map[string]grid.Graph
	sites  map[string]int // the number of variables of each other toy
	id     Key
	doubts []string
	// programs are the paths of the files on which every cell depends whose kernel is a program.
	programs []string
}

// Doubts returns other possible meanings of the files that the cells name, a line for each; none if
// the sweep comes from a manifest.
func (s *Sweep) Doubts() []string { return slices.Clone(s.doubts) }

// Key is the hash that identifies a cell, or a whole sweep.
type Key [16]byte

// keyOf hashes anything that JSON writes in one way only.
func keyOf(v any) Key {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and maps of strings
	}
	sum := sha256.Sum256(text)
	return Key(sum[:16])
}

// String returns the key in hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// MarshalText writes the key in hexadecimal digits.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (k *Key) UnmarshalText(text []byte) error {
	if len(text) != 2*len(k) {
		return fmt.Errorf("%q is not a key of %d hexadecimal digits", text, 2*len(k))
	}
	_, err := hex.Decode(k[:], text)
	return err
}

// ID returns the key of the whole sweep: two sweeps have the same key if they have the same cells
// in the same order.
func (s *Sweep) ID() Key { return s.id }

// Len returns the number of cells.
func (s *Sweep) Len() int { return s.grid.size() + len(s.cases) }

// Cell returns cell i, 0 <= i < Len().
func (s *Sweep) Cell(i int) Cell {
	if n := s.grid.size(); i >= n {
		return s.cases[i-n]
	}
	return s.grid.cell(s.study.Parameters, i)
}

// Study returns the study of the sweep.
func (s *Sweep) Study() *subject.Question { return s.study }

// Key returns the key of a cell: a hash of its parameters, of the files on which it depends, of the
// study and of the schema.
func (s *Sweep) Key(c Cell) Key {
	var contents []string
	for _, path := range s.cellFiles(c) {
		contents = append(contents, s.files[path])
	}
	return keyOf(struct {
		Schema int
		Study  string
		Cell   Cell
		Files  []string
	}{schema, s.study.Name, c, contents})
}

// known reports whether a file belongs to the sweep.
func (s *Sweep) known(path string) bool { _, ok := s.files[path]; return ok }

// index returns the number of each cell by its key.
func (s *Sweep) index() map[Key]int {
	out := make(map[Key]int, s.Len())
	for i := range s.Len() {
		out[s.Key(s.Cell(i))] = i
	}
	return out
}

// Values returns the values that a parameter takes over all cells, each once, in the order of the
// cells.
func (s *Sweep) Values(name string) []string {
	var values []string
	if k := slices.IndexFunc(s.study.Parameters, func(p subject.Parameter) bool { return p.Name == name }); k >= 0 {
		values = slices.Clone(s.grid.valuesOf(k))
		for _, c := range s.cases {
			values = append(values, c[k].Value)
		}
	}
	distinct, _ := study.Distinct(values, func(v string) string { return v })
	return distinct
}

// difference says in what another sweep differs, for an error.
func (s *Sweep) difference(from *Sweep) string {
	if before, now := from.study.Name, s.study.Name; before != now {
		return fmt.Sprintf("its study was %s and is %s", before, now)
	}
	for k, p := range s.study.Parameters {
		before := from.grid.valuesOf(k)
		now := s.grid.valuesOf(k)
		if !slices.Equal(before, now) {
			return fmt.Sprintf("in its grid %s %s", p.Name, change(before, now))
		}
	}
	if !slices.EqualFunc(from.grid.zips, s.grid.zips, slices.Equal) {
		return "its parameters are zipped differently"
	}
	for path, contents := range from.files {
		if now, ok := s.files[path]; ok && now != contents {
			return fmt.Sprintf("the contents of %s have changed", path)
		}
	}
	if !slices.Equal(from.programs, s.programs) {
		return fmt.Sprintf("the list of the files of its programs (%s) %s",
			programHash, change(from.programs, s.programs))
	}
	return fmt.Sprintf("it had %d cases beside the grid and has %d, or different ones", len(from.cases), len(s.cases))
}

// mostListed is the length of the longest list that an error writes out.
const mostListed = 8

// change says in what one list of values differs from another. Long lists often begin alike, so
// that only what is new in them and what is gone tells them apart.
func change(before, now []string) string {
	if max(len(before), len(now)) <= mostListed || len(before) == 0 || len(now) == 0 {
		return fmt.Sprintf("was %s and is %s", short(before), short(now))
	}
	gone := without(before, now)
	added := without(now, before)
	if len(gone)+len(added) == 0 {
		return fmt.Sprintf("has the same %d values in another order", len(now))
	}
	text := fmt.Sprintf("had %d values and has %d:", len(before), len(now))
	if len(added) > 0 {
		text += " new is " + short(added)
	}
	if len(added) > 0 && len(gone) > 0 {
		text += ", and"
	}
	if len(gone) > 0 {
		text += " gone is " + short(gone)
	}
	return text
}

// without returns the values of a list that are not in another one.
func without(list, other []string) []string {
	there := make(map[string]bool, len(other))
	for _, v := range other {
		there[v] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(v string) bool { return there[v] })
}

// short writes a list so that it fits in an error.
func short(values []string) string {
	if len(values) > mostListed {
		return fmt.Sprintf("%s,... (%d values)", strings.Join(values[:mostListed], ","), len(values))
	}
	if len(values) == 0 {
		return "not there"
	}
	return strings.Join(values, ",")
}

// defaultStudy is the study of a specification that names none.
const defaultStudy = "tightness"

// oneWord returns a name without what stands between its words, so that a study can be named as its
// command is: kernel check for kernelcheck, and samplers errors for samplers-errors.
func oneWord(name string) string { return strings.NewReplacer(" ", "", "-", "").Replace(name) }

// Studies are the studies that a specification or a manifest may name, and the forms of their
// selectors.
type Studies struct {
	Forms subject.Forms
	List  []*subject.Question
}

// studyNamed returns the one of the studies that has a name, and an error that lists them all for
// an unknown name.
func studyNamed(studies Studies, name string) (*subject.Question, error) {
	var names []string
	for _, s := range studies.List {
		if oneWord(name) == oneWord(s.Name) {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, selector.UnknownError("study", selector.Cut(name), names)
}
