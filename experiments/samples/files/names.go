package files

import (
	"fmt"
	"strconv"
	"strings"

	"breadboard/experiments/samples"
)

// quantity is what a column holds.
type quantity int

// The quantities that a reader knows. The states of a path and the increments have a stage besides.
const (
	logW quantity = iota
	xFirst
	xLast
	pathState
	wholePath // all states of a path in one cell, as an array
	increment
	beta
	from
	to
	logZ
	standardError
	quantities // how many there are
)

// known lists the names of quantities without a stage.
func known() map[string]quantity {
	return map[string]quantity{
		"log_w": logW, "x_first": xFirst, "x_last": xLast, "path": wholePath, "beta": beta, "from": from, "to": to, "log_z": logZ, "se": standardError,
	}
}

// isState reports whether the quantity is a state, or several.
func (q quantity) isState() bool {
	return q == xFirst || q == xLast || q == pathState || q == wholePath || q == from || q == to
}

// whole is the axis of a target that is a state in one cell, and not one of its coordinates.
const whole = -1

// target is what a column of a source fills.
type target struct {
	quantity quantity
	stage    int // t of the state or of the increment; 0 of other quantities
	axis     int // of a coordinate, slowest axis first, from 0; whole otherwise
}

// parseName returns what a column of this name holds. It does not look whether there is such a stage or axis.
func parseName(name string) (target, bool) {
	if q, ok := known()[name]; ok {
		return target{quantity: q, axis: whole}, true
	}
	if stage, ok := numbered(name, "increment_"); ok {
		return target{quantity: increment, stage: stage, axis: whole}, true
	}
	if stage, ok := numbered(name, "x_"); ok {
		return target{quantity: pathState, stage: stage, axis: whole}, true
	}
	cut := strings.LastIndexByte(name, '_')
	if cut < 0 {
		return target{}, false
	}
	axis, ok := number(name[cut+1:])
	if !ok {
		return target{}, false
	}
	at, ok := parseName(name[:cut])
	if !ok || !at.quantity.isState() || at.quantity == wholePath || at.axis != whole {
		return target{}, false
	}
	at.axis = axis
	return at, true
}

// numbered returns the number that follows a prefix.
func numbered(name, prefix string) (int, bool) {
	digits, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return 0, false
	}
	return number(digits)
}

// number returns a whole number that is written without a sign and without leading zeros.
func number(digits string) (int, bool) {
	n, err := strconv.Atoi(digits)
	return n, err == nil && strconv.Itoa(n) == digits && n >= 0
}

// checkName returns the fault of a target that the space does not have.
func (at target) checkName(name string, s samples.Space) *fault {
	distributions := s.Distributions
	switch {
	case at.axis != whole && len(s.Sides) == 0:
		return &fault{found: "the column " + name, want: fmt.Sprintf("write states as one number from 0 to %d: the states of this space have no coordinates", s.States-1)}
	case at.axis != whole && at.axis >= len(s.Sides):
		return &fault{found: "the column " + name, want: fmt.Sprintf("write the coordinates of the axes 0 to %d, which this space has, slowest axis first", len(s.Sides)-1)}
	case distributions < 2 && (at.quantity == pathState || at.quantity == wholePath || at.quantity == increment):
		return &fault{found: "the column " + name, want: "leave it out: this task has no paths"}
	case at.quantity == pathState && (at.stage < 1 || at.stage > distributions):
		return &fault{found: "the column " + name, want: fmt.Sprintf("name the states of a path x_1 to x_%d, since T = %d", distributions, distributions)}
	case at.quantity == increment && (at.stage < 2 || at.stage > distributions):
		return &fault{found: "the column " + name, want: fmt.Sprintf("name the increments by the stages that add them, increment_2 to increment_%d, since T = %d", distributions, distributions)}
	}
	return nil
}

// bare returns a name in small letters and without what is neither a letter nor a digit, by which near misses are found.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

// misses lists names that are often given to the quantities without a stage, in the form of bare.
func misses() map[string]string {
	return map[string]string{
		"logw": "log_w", "logws": "log_w", "logweight": "log_w", "logweights": "log_w", "lnw": "log_w", "lw": "log_w", "w": "log_w", "weight": "log_w", "weights": "log_w",
		"xfirst": "x_first", "xstart": "x_first", "xinitial": "x_first", "xinit": "x_first", "first": "x_first",
		"xlast": "x_last", "xend": "x_last", "xfinal": "x_last", "last": "x_last", "xt": "x_last",
		"beta": "beta", "betas": "beta", "from": "from", "xfrom": "from", "to": "to", "xto": "to", "path": "path", "paths": "path",
		"logz": "log_z", "lnz": "log_z", "zhat": "log_z", "logzhat": "log_z", "logzestimate": "log_z",
	}
}

// nearMiss returns the name that was probably meant by one that is not known.
func nearMiss(name string) (meant string, ok bool) {
	b := bare(name)
	if meant, ok := misses()[b]; ok {
		return meant, true
	}
	for _, prefix := range []string{"increments", "increment", "incr", "inc", "dlogw", "x"} {
		digits, ok := strings.CutPrefix(b, prefix)
		stage, err := strconv.Atoi(digits)
		if !ok || err != nil {
			continue
		}
		if prefix == "x" {
			return fmt.Sprintf("x_%d", stage), true
		}
		return fmt.Sprintf("increment_%d", stage), true
	}
	return "", false
}

// usable describes the columns that a reader can use, for messages.
func usable(s samples.Space) string {
	names := []string{"log_w", "x_first", "x_last"}
	if s.Distributions >= 2 {
		names = append(names, fmt.Sprintf("x_1 to x_%d", s.Distributions), fmt.Sprintf("increment_2 to increment_%d", s.Distributions))
	}
	return strings.Join(names, ", ") + ", log_z, se, or beta, from and to together"
}
