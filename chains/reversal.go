package chains

// OfLibrary reports whether a kernel is one of this package, or made of nothing else by Compose, Palindrome, Repeat,
// Mixture and Lazy. Such a kernel leaves its distribution invariant by construction, and its time reversal is known.
// A type of anybody else is not of the library, not even one that embeds a kernel of this package: what it does is up
// to the methods that it has replaced.
func OfLibrary(k Kernel) bool {
	switch k.(type) {
	case Metropolis, Moore, Barker, Jump, Independence, HeatBathAxis, SuwaTodoAxis, Stay:
		return true
	case sequenceRows, mixRows, mixRowsReverser: // what the constructors make of kernels that have rows, as these have
	default:
		return false
	}
	parts, _ := partsOf(k)
	for _, part := range parts {
		if !OfLibrary(part) {
			return false
		}
	}
	return true
}

// partsOf returns what a kernel is made of, where it is a combination of this package.
func partsOf(k Kernel) (parts []Kernel, combined bool) {
	switch k := k.(type) {
	case Sequence:
		return k.Parts, true
	case sequenceRows:
		return k.Parts, true
	case Mix:
		return k.Parts, true
	case mixRows:
		return k.Parts, true
	case mixReverser:
		return k.Parts, true
	case mixRowsReverser:
		return k.Parts, true
	}
	return nil, false
}

// ReversalOf returns the time reversal of a kernel as far as the kernel itself tells: the kernels of the library know
// theirs, combinations turn round each of their parts, and any other kernel may say it (Reverser). It returns false
// where the kernel, or a part of it, says nothing; package exact then finds the reversal from the kernel's rows
// (exact.WithReversal).
func ReversalOf(k Kernel) (reversal Kernel, said bool) {
	parts, combined := partsOf(k)
	switch r, reverser := k.(Reverser); {
	case combined:
		for _, part := range parts {
			if _, said := ReversalOf(part); !said {
				return nil, false
			}
		}
		if reverser {
			return r.Reversal(), true
		}
		return unmixed(k).reversed(), true
	case reverser:
		return r.Reversal(), true
	case OfLibrary(k):
		return k, true
	}
	return nil, false
}

// unmixed returns the mixture inside a combination that is no sequence.
func unmixed(k Kernel) Mix {
	if m, rows := k.(mixRows); rows {
		return m.Mix
	}
	return k.(Mix)
}

// MovesOf returns how many moves a kernel makes one after another at most: more than one where it is a sequence of this
// package, or has one among its parts.
func MovesOf(k Kernel) int {
	parts, combined := partsOf(k)
	if !combined {
		return 1
	}
	switch s := k.(type) {
	case Sequence:
		return s.moves()
	case sequenceRows:
		return s.moves()
	}
	most := 0
	for _, part := range parts {
		most = max(most, MovesOf(part))
	}
	return most
}

func (s Sequence) moves() int {
	total := 0
	for _, part := range s.order {
		total += MovesOf(s.Parts[part])
	}
	return total * s.Times
}
