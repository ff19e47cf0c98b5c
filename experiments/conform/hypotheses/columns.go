package hypotheses

import "breadboard/chains"

// Columns says what is known of each chain.
type Columns struct {
	First, Last bool // the states x_1 and x_T
	LogW        bool // the log weight, in nats
}

// key returns the number of a pair of ends, of which those that are not known count as zero.
func (c Columns) key(first, last, n int) int {
	k := 0
	if c.First {
		k = first
	}
	if c.Last {
		k = k*n + last
	}
	return k
}

// keys returns the number of keys.
func (c Columns) keys(n int) int {
	k := 1
	if c.First {
		k *= n
	}
	if c.Last {
		k *= n
	}
	return k
}

// ends returns the ends that a key stands for, and -1 for one that is not known.
func (c Columns) ends(key, n int) (first, last int) {
	first, last = -1, -1
	if c.Last {
		last = key % n
		key /= n
	}
	if c.First {
		first = key
	}
	return first, last
}

// withoutStart returns the columns without the state at which chains of a direction start.
func (c Columns) withoutStart(d chains.Direction) Columns {
	if d == chains.Forward {
		c.First = false
	} else {
		c.Last = false
	}
	return c
}
