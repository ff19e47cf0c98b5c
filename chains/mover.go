package chains

import (
	"fmt"

	"breadboard/chains/errs"
)

// Mover is a Markov transition on states of the user's own type: a permutation, a partition, a
// struct. Like a Kernel it leaves the distribution proportional to exp(logf) invariant.
type Mover[S any] interface {
	// Move returns the state after one transition from x, with every random choice made by c. It
	// must not change x if that holds references, and logf may be -Inf (a state of zero
	// probability).
	Move(c Chooser, logf func(S) float64, x S) S
}

// Listed is the kernel that a Mover is on the list of its states: state i of the kernel is entry i
// of the list.
type Listed[S comparable] struct {
	mover  Mover[S]
	states []S
	number map[S]int
}

// Tabulate returns the kernel of a Mover on the list of all its states, whose transition
// probabilities package exact enumerates. The list is copied. It fails if the list is empty, or has
// a state twice.
//
// The list is checked only when the kernel moves. A Move that returns an unlisted state, or
// evaluates the density of one, is an error that names the state. A state that cannot be reached
// may be listed, with log f = -Inf.
//
// A move costs a look-up of each state that the Mover evaluates.
func Tabulate[S comparable](m Mover[S], states []S) (*Listed[S], error) {
	if len(states) == 0 {
		return nil, errs.New("the list of states is empty; give every state that the mover can reach")
	}
	k := &Listed[S]{m, append([]S(nil), states...), make(map[S]int, len(states))}
	for i := range k.states {
		if err := k.numberState(i); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// numberState gives state i of the list its number.
func (k *Listed[S]) numberState(i int) (err error) {
	x := k.states[i]
	defer func() {
		if recover() != nil { // an interface may hold a slice, for example
			err = fmt.Errorf("state %d of the list is %v, a %T, which cannot be compared with other states", i, x, x)
		}
	}()
	if first, twice := k.number[x]; twice {
		return errs.New("state %v is on the list twice, as states %d and %d; take one of them out", x, first, i)
	}
	k.number[x] = i
	if _, found := k.number[x]; !found { // as a NaN
		return fmt.Errorf("state %d of the list is %v, which does not equal itself", i, x)
	}
	return nil
}

// Move makes the Mover's move from state x of the list. It panics with a Fault if the Mover goes to
// a state that is not on the list, or evaluates the density of one.
func (k *Listed[S]) Move(c Chooser, logf []float64, x int) int {
	density := func(y S) float64 { return logf[k.stateNumber(x, y, "asks for the density of")] }
	return k.stateNumber(x, k.mover.Move(c, density, k.states[x]), "moves to")
}

// stateNumber returns the number of state y, which a move from state x needs. The argument does
// describes how, for the message.
func (k *Listed[S]) stateNumber(x int, y S, does string) int {
	i, listed := k.number[y]
	if !listed {
		panic(NewFault(errs.New("from %v the mover %s %v, which is not on the list of its states; list every state "+
			"that it can ask about, with log f = -Inf if f is zero",
			k.states[x], does, y)))
	}
	return i
}

// States returns the length of the list.
func (k *Listed[S]) States() int { return len(k.states) }

// Label returns a state as fmt prints it.
func (k *Listed[S]) Label(x int) string { return fmt.Sprint(k.states[x]) }

// String returns the result of the Mover's String method, or its type if it has no such method.
func (k *Listed[S]) String() string {
	if s, is := k.mover.(fmt.Stringer); is {
		return s.String()
	}
	return fmt.Sprintf("%T", k.mover)
}

// Tabulated is a kernel given by its rows, which are the same under every distribution.
type Tabulated struct {
	name    string
	start   []int32 // row x is entries[start[x]:start[x+1]]
	entries []Entry
}

// NewTabulated returns a kernel with the given name, number of states and rows. It copies the rows,
// and requests each row twice, the first time only to count the entries.
func NewTabulated(name string, states int, row func(x int) []Entry) *Tabulated {
	k := &Tabulated{name: name, start: make([]int32, 1, states+1)}
	total := 0
	for x := range states {
		for _, e := range row(x) {
			if e.P > 0 {
				total++
			}
		}
	}
	k.entries = make([]Entry, 0, total)
	for x := range states {
		for _, e := range row(x) {
			if e.P > 0 {
				k.entries = append(k.entries, e)
			}
		}
		k.start = append(k.start, int32(len(k.entries)))
	}
	return k
}

// Move draws from the row.
func (k *Tabulated) Move(c Chooser, _ []float64, x int) int {
	row := k.entries[k.start[x]:k.start[x+1]]
	p := make([]float64, len(row))
	for i, e := range row {
		p[i] = e.P
	}
	return row[c.Choose(p)].To
}

// AppendRow appends the row.
func (k *Tabulated) AppendRow(dst []Entry, _ []float64, x int) []Entry {
	return append(dst, k.entries[k.start[x]:k.start[x+1]]...)
}

// States returns the number of states.
func (k *Tabulated) States() int { return len(k.start) - 1 }

// String returns the name.
func (k *Tabulated) String() string { return k.name }
