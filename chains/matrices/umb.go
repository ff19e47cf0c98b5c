package matrices

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"path"
	"slices"
	"strings"
)

// The names of the members of a UMB file that are read.
const (
	umbIndexFile   = "index.json"
	umbInitial     = "state-is-initial.bin"
	umbChoices     = "state-to-choices.bin"
	umbBranches    = "choice-to-branches.bin"
	umbTargets     = "branch-to-target.bin"
	umbProbability = "branch-to-probability.bin"
)

// umbValues returns the name of the member with the values of an annotation of states.
func umbValues(group, id string) string {
	return path.Join("annotations", group, id, umbOfStates, "values.bin")
}

const (
	maxMembers  = 10_000  // of an archive
	maxIndex    = 1 << 20 // the bytes of the index
	maxUnpacked = 1 << 30 // the bytes of an archive, however few it is packed to
	mostPacked  = 1032    // how many bytes gzip can make one of
)

// ParseUMB reads a chain of at most so many states from a UMB file: a tar archive, which may be compressed with gzip. Branches of a state that lead to
// the same state are added up, as the format means them. Rewards are those of states; those of choices and of branches are left out, as is everything
// else that says nothing of the chain. Fractions become the nearest float64.
func ParseUMB(data []byte, most int) (*Chain, error) {
	u := &umb{data: data, sizes: map[string]uint64{}, members: map[string][]byte{}}
	if err := u.find(most); err != nil {
		return nil, err
	}
	if err := u.expect(); err != nil {
		return nil, err
	}
	if err := u.each(u.take); err != nil {
		return nil, err
	}
	return u.chain()
}

// umb is an archive that is being read.
type umb struct {
	data    []byte
	index   *umbIndex
	sizes   map[string]uint64 // of the members that are read, in bytes, as they follow from the index
	members map[string][]byte // what has been read
}

// inMember returns an error about a member.
func inMember(name string, format string, args ...any) error {
	return fmt.Errorf("member %s: "+format, append([]any{name}, args...)...)
}

// each calls a function for every file of the archive, with its name and its size. It fails where the function does, and with io.EOF from it ends
// without an error.
func (u *umb) each(use func(name string, size int64, from io.Reader) error) error {
	var from io.Reader = bytes.NewReader(u.data)
	switch {
	case bytes.HasPrefix(u.data, []byte("\x1f\x8b")):
		unpacked, err := gzip.NewReader(from)
		if err != nil {
			return fmt.Errorf("it is no gzip file, or one that is cut off (%w)", err)
		}
		from = unpacked
	case bytes.HasPrefix(u.data, []byte("\xfd7zXZ\x00")):
		return errors.New("it is compressed with xz, which cannot be read here; unpack it: xz -dc < FILE.umb > PLAIN.umb")
	}
	limited := &limitedReader{from: from, left: maxUnpacked}
	archive := tar.NewReader(limited)
	for count := 0; ; count++ {
		member, err := archive.Next()
		switch {
		case limited.left < 0:
			return fmt.Errorf("it unpacks to more than %d bytes; is it the right file?", maxUnpacked)
		case err == io.EOF && count > 0:
			return nil
		case err != nil:
			return fmt.Errorf("it is no tar file, or one that is cut off (%w)", err)
		case count == maxMembers:
			return fmt.Errorf("it has more than %d members; is it the right file?", maxMembers)
		}
		name, err := memberName(member)
		if err != nil {
			return err
		}
		if member.Typeflag == tar.TypeDir {
			continue
		}
		switch err := use(name, member.Size, archive); {
		case err == io.EOF:
			return nil
		case limited.left < 0:
			return fmt.Errorf("it unpacks to more than %d bytes; is it the right file?", maxUnpacked)
		case err != nil:
			return err
		}
	}
}

// memberName returns the name of a member without ./ in front, and refuses a name that leads out of the archive, and what is no file or folder.
func memberName(member *tar.Header) (string, error) {
	name := strings.TrimPrefix(member.Name, "./")
	if path.IsAbs(name) || slices.Contains(strings.Split(name, "/"), "..") || strings.Contains(name, `\`) {
		return "", fmt.Errorf("the member %q leads out of the archive; no tool writes such a file, do not trust it", member.Name)
	}
	if member.Typeflag != tar.TypeReg && member.Typeflag != tar.TypeDir {
		return "", inMember(name, "it is no file but a link or a device; write the archive anew")
	}
	return name, nil
}

// limitedReader fails where more than so many bytes are read.
type limitedReader struct {
	from io.Reader
	left int64
}

func (l *limitedReader) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, errors.New("too long")
	}
	return n, err
}

// find reads the index, wherever it stands.
func (u *umb) find(most int) error {
	err := u.each(func(name string, size int64, from io.Reader) (err error) {
		if name != umbIndexFile {
			return nil
		}
		if size > maxIndex {
			return inMember(name, "it has %d bytes, and at most %d are read", size, maxIndex)
		}
		text := make([]byte, size)
		if _, err := io.ReadFull(from, text); err != nil {
			return inMember(name, "it is cut off (%w)", err)
		}
		if u.index, err = parseUMBIndex(text, most); err != nil {
			return inMember(name, "%w", err)
		}
		return io.EOF
	})
	if err == nil && u.index == nil {
		err = fmt.Errorf("there is no member %s; it is no UMB file", umbIndexFile)
	}
	return err
}

// expect notes the sizes that the members must have.
func (u *umb) expect() error {
	states, branches := *u.index.System.States, *u.index.System.Branches
	u.sizes[umbInitial] = bitBytes(states)
	u.sizes[umbChoices] = 8 * (states + 1)
	u.sizes[umbBranches] = 8 * (states + 1)
	u.sizes[umbTargets] = 8 * branches
	u.sizes[umbProbability] = branches * u.index.System.Probability.bits() / 8
	for _, group := range []string{umbLabels, umbRewards} {
		for id, a := range u.index.Annotations[group] {
			if !umbIdentifier.MatchString(id) {
				return inMember(umbIndexFile, "%q is no name of an annotation; it has small letters, digits, - and _", id)
			}
			if !slices.Contains(a.AppliesTo, umbOfStates) {
				continue
			}
			bytes := bitBytes(states)
			if group == umbRewards {
				if err := a.Type.continuous("the type of reward " + id); err != nil {
					return inMember(umbIndexFile, "%w", err)
				}
				bytes = states * a.Type.bits() / 8
			} else if a.Type.Type != "bool" {
				return inMember(umbIndexFile, "the type of the label %s is %q; it is bool in every file", id, a.Type.Type)
			}
			if a.Probability != nil {
				return inMember(umbIndexFile, "%s has a distribution for each state; only one value for each can be read", id)
			}
			u.sizes[umbValues(group, id)] = bytes
		}
	}
	total := uint64(0)
	for name, size := range u.sizes {
		if total += size; total > maxUnpacked {
			return inMember(name, "the members would have more than %d bytes; is it the right file?", maxUnpacked)
		}
	}
	return nil
}

// bitBytes returns the bytes that a bit for each of n takes: whole words of 64.
func bitBytes(n uint64) uint64 { return (n + 63) / 64 * 8 }

// take reads a member that is expected.
func (u *umb) take(name string, size int64, from io.Reader) error {
	want, expected := u.sizes[name]
	if !expected {
		return nil
	}
	if uint64(size) != want {
		return inMember(name, "it has %d bytes, and %d follow from %s; it is cut off, or of another model", size, want, umbIndexFile)
	}
	if u.members[name] != nil {
		return inMember(name, "it stands twice; write the archive anew")
	}
	if want > mostPacked*uint64(len(u.data)) { // so that no memory is taken for what cannot be there
		return inMember(name, "%d bytes are promised, and the whole file has %d; it is cut off", want, len(u.data))
	}
	content := make([]byte, want)
	if _, err := io.ReadFull(from, content); err != nil {
		return inMember(name, "it is cut off (%w)", err)
	}
	u.members[name] = content
	return nil
}

// chain makes the chain of the members.
func (u *umb) chain() (*Chain, error) {
	if u.members[umbProbability] == nil {
		return nil, fmt.Errorf("there is no member %s; a chain has probabilities", umbProbability)
	}
	states, branches := int(*u.index.System.States), int(*u.index.System.Branches)
	if err := u.oneChoice(states); err != nil {
		return nil, err
	}
	starts, err := u.starts(umbBranches, states, branches)
	if err != nil {
		return nil, err
	}
	rows, err := u.rows(starts, states)
	if err != nil {
		return nil, err
	}
	c := &Chain{Rows: *rows}
	if initial := u.members[umbInitial]; initial != nil {
		in, err := marks(umbInitial, initial, states)
		if err != nil {
			return nil, err
		}
		c.Labels = append(c.Labels, Label{Initial, in})
	}
	return c, u.annotations(c, states)
}

// oneChoice fails where a state has another number of choices than one.
func (u *umb) oneChoice(states int) error {
	if u.members[umbChoices] == nil {
		return nil
	}
	starts, err := u.starts(umbChoices, states, states)
	if err != nil {
		return err
	}
	for x := range states {
		if n := starts[x+1] - starts[x]; n != 1 {
			return inMember(umbChoices, "state %d has %d choices; a chain has one in each state", x, n)
		}
	}
	return nil
}

// starts reads where the places of each of n begin among a number of targets. Where there is no such member each has one.
func (u *umb) starts(name string, n, targets int) ([]int, error) {
	out := make([]int, n+1)
	member := u.members[name]
	if member == nil {
		if n != targets {
			return nil, fmt.Errorf("there is no member %s, which stands for one each, and %s has %d for %d", name, umbIndexFile, targets, n)
		}
		for i := range out {
			out[i] = i
		}
		return out, nil
	}
	for i := range out {
		v := binary.LittleEndian.Uint64(member[8*i:])
		switch {
		case i == 0 && v != 0:
			return nil, inMember(name, "offset 0: it begins with %d, and not with 0", v)
		case v > uint64(targets):
			return nil, inMember(name, "offset %d: %d is beyond the last of %d", 8*i, v, targets)
		case i > 0 && v < uint64(out[i-1]):
			return nil, inMember(name, "offset %d: %d stands behind %d; the numbers never fall", 8*i, v, out[i-1])
		case i == n && v != uint64(targets):
			return nil, inMember(name, "offset %d: it ends with %d, and %s has %d", 8*i, v, umbIndexFile, targets)
		}
		out[i] = int(v)
	}
	return out, nil
}

// rows reads the rows of a matrix whose entries begin at the given places.
func (u *umb) rows(starts []int, states int) (*Rows, error) {
	targets, r := u.members[umbTargets], &Rows{Starts: make([]int, 1, states+1)}
	p, err := u.numbers(umbProbability, *u.index.System.Probability, starts[states])
	if err != nil {
		return nil, err
	}
	var row []entry
	for x := range states {
		row = row[:0]
		for k := starts[x]; k < starts[x+1]; k++ {
			to := uint64(0) // which is what an absent member means
			if targets != nil {
				to = binary.LittleEndian.Uint64(targets[8*k:])
			}
			if to >= uint64(states) {
				return nil, inMember(umbTargets, "offset %d: state %d is none of 0 to %d", 8*k, to, states-1)
			}
			if !(p[k] >= 0 && p[k] <= 1+slack) {
				return nil, inMember(umbProbability, "branch %d, from state %d to %d: %v is no probability", k, x, to, p[k])
			}
			row = append(row, entry{to: int32(to), p: p[k]})
		}
		r.appendRow(row)
	}
	return r, nil
}

// appendRow appends a row, and adds up entries of one column in the order in which they stand.
func (r *Rows) appendRow(row []entry) {
	slices.SortStableFunc(row, func(a, b entry) int { return cmp.Compare(a.to, b.to) })
	first := len(r.P)
	for _, e := range row {
		switch last := len(r.P) - 1; {
		case e.p == 0:
		case last >= first && r.To[last] == e.to:
			r.P[last] += e.p
		default:
			r.To, r.P = append(r.To, e.to), append(r.P, e.p)
		}
	}
	r.Starts = append(r.Starts, len(r.P))
}

// numbers reads n numbers of a member.
func (u *umb) numbers(name string, t umbType, n int) ([]float64, error) {
	member, out := u.members[name], make([]float64, n)
	size := int(t.bits() / 8)
	for i := range out {
		value := member[i*size : (i+1)*size]
		if t.Type == "double" {
			out[i] = math.Float64frombits(binary.LittleEndian.Uint64(value))
		} else {
			above, below := signed(value[:size/2]), unsigned(value[size/2:])
			if below.Sign() == 0 {
				return nil, inMember(name, "offset %d: the denominator of a fraction is 0", i*size+size/2)
			}
			out[i] = nearest(above, below)
		}
		if math.IsNaN(out[i]) || math.IsInf(out[i], 0) {
			return nil, inMember(name, "offset %d: %v is no finite number", i*size, out[i])
		}
	}
	return out, nil
}

// unsigned returns a whole number whose lowest byte stands first.
func unsigned(little []byte) *big.Int {
	big := new(big.Int)
	bytes := slices.Clone(little)
	slices.Reverse(bytes)
	return big.SetBytes(bytes)
}

// signed returns a whole number in two's complement whose lowest byte stands first.
func signed(little []byte) *big.Int {
	v := unsigned(little)
	if little[len(little)-1] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(little))))
	}
	return v
}

// nearest returns the float64 that is nearest to a fraction.
func nearest(above, below *big.Int) float64 {
	q, _ := new(big.Float).SetPrec(53).Quo(new(big.Float).SetInt(above), new(big.Float).SetInt(below)).Float64()
	return q
}

// quotient returns the float64 that is nearest to a fraction.
func quotient(above, below uint64) float64 {
	return nearest(new(big.Int).SetUint64(above), new(big.Int).SetUint64(below))
}

// marks reads a bit for each state.
func marks(name string, member []byte, states int) ([]bool, error) {
	in := make([]bool, states)
	for i := range 8 * len(member) {
		set := member[i/8]>>(i%8)&1 == 1
		if i < states {
			in[i] = set
		} else if set {
			return nil, inMember(name, "offset %d: a bit is set behind those of the %d states", i/8, states)
		}
	}
	return in, nil
}

// annotations adds the labels and the rewards, by their names. One without values has none: every state is without the label, or has the reward zero.
func (u *umb) annotations(c *Chain, states int) error {
	for _, group := range []string{umbLabels, umbRewards} {
		for _, id := range slices.Sorted(maps.Keys(u.index.Annotations[group])) {
			a, file := u.index.Annotations[group][id], umbValues(group, id)
			if _, ofStates := u.sizes[file]; !ofStates {
				continue
			}
			name, member := cmp.Or(a.Alias, id), u.members[file]
			if member == nil {
				member = make([]byte, u.sizes[file])
				if a.Type.Type == "rational" {
					return fmt.Errorf("there is no member %s; the reward %s has no values", file, name)
				}
			}
			u.members[file] = member
			if group == umbLabels {
				in, err := marks(file, member, states)
				if err != nil {
					return err
				}
				if name != Initial || u.members[umbInitial] == nil { // which says the same
					c.Labels = append(c.Labels, Label{name, in})
				}
				continue
			}
			values, err := u.numbers(file, a.Type, states)
			if err != nil {
				return err
			}
			c.Rewards = append(c.Rewards, Reward{name, values})
		}
	}
	return nil
}
