package matrices

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// UMB returns a chain as a UMB file, a tar archive that is not compressed: its rows, its labels and its rewards. The label Initial becomes
// the initial states. The file has no time in it, so that the same chain is always the same bytes.
func UMB(c *Chain, tool string) ([]byte, error) {
	count := func(n int) *uint64 { v := uint64(n); return &v }
	double := umbType{"double", 64}
	index := &umbIndex{
		Version: count(1), Revision: count(0), File: umbTool{tool}, Annotations: map[string]map[string]umbAnnotation{},
		System: &umbSystem{
			Time: "discrete", Players: count(0), States: count(c.Len()), InitialStates: count(0), Choices: count(c.Len()), Branches: count(len(c.P)), Probability: &double,
		},
	}
	w := &umbWriter{index: index}
	starts, targets, p := make([]uint64, len(c.Starts)), make([]uint64, len(c.To)), make([]uint64, len(c.P))
	for i, v := range c.Starts {
		starts[i] = uint64(v)
	}
	for i := range c.P {
		targets[i], p[i] = uint64(c.To[i]), math.Float64bits(c.P[i])
	}
	w.words(umbBranches, starts)
	w.words(umbTargets, targets)
	w.words(umbProbability, p)
	for _, label := range c.Labels {
		file := umbInitial
		if label.Name == Initial {
			for _, in := range label.In {
				if in {
					*index.System.InitialStates++
				}
			}
		} else {
			file = w.annotate(umbLabels, label.Name, umbType{"bool", 1})
		}
		w.bits(file, label.In)
	}
	for _, reward := range c.Rewards {
		values := make([]uint64, len(reward.Values))
		for x, v := range reward.Values {
			values[x] = math.Float64bits(v)
		}
		w.words(w.annotate(umbRewards, reward.Name, double), values)
	}
	return w.bytes()
}

// umbWriter collects the members of an archive, in front of which the index stands.
type umbWriter struct {
	index   *umbIndex
	members []member
}

// member is a file of an archive.
type member struct {
	name    string
	content []byte
}

// words adds a member of words of 64 bits.
func (w *umbWriter) words(name string, values []uint64) {
	content := make([]byte, 0, 8*len(values))
	for _, v := range values {
		content = binary.LittleEndian.AppendUint64(content, v)
	}
	w.members = append(w.members, member{name, content})
}

// bits adds a member with a bit for each state.
func (w *umbWriter) bits(name string, in []bool) {
	content := make([]byte, bitBytes(uint64(len(in))))
	for x, set := range in {
		if set {
			content[x/8] |= 1 << (x % 8)
		}
	}
	w.members = append(w.members, member{name, content})
}

// annotate adds an annotation of states to the index, and returns the name of the member with its values. The name of the annotation is its alias;
// in names of members it has small letters, digits, - and _ alone.
func (w *umbWriter) annotate(group, name string, t umbType) string {
	id := strings.Map(func(r rune) rune {
		if r = unicode.ToLower(r); r < unicode.MaxASCII && umbIdentifier.MatchString(string(r)) {
			return r
		}
		return '_'
	}, name)
	if w.index.Annotations[group] == nil {
		w.index.Annotations[group] = map[string]umbAnnotation{}
	}
	free, others := id, w.index.Annotations[group]
	for i := 2; others[free].AppliesTo != nil; i++ {
		free = id + "_" + strconv.Itoa(i)
	}
	others[free] = umbAnnotation{Alias: name, AppliesTo: []string{umbOfStates}, Type: t}
	return umbValues(group, free)
}

func (w *umbWriter) bytes() ([]byte, error) {
	text, err := json.MarshalIndent(w.index, "", "  ")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	archive := tar.NewWriter(&b)
	for _, m := range append([]member{{umbIndexFile, append(text, '\n')}}, w.members...) {
		if err := archive.WriteHeader(&tar.Header{Format: tar.FormatUSTAR, Typeflag: tar.TypeReg, Name: m.name, Size: int64(len(m.content)), Mode: 0o644}); err != nil {
			return nil, err
		}
		if _, err := archive.Write(m.content); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
