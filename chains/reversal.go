package chains

// ReversalOf returns the time reversal of a kernel as far as the kernel itself tells: the kernels of the library know theirs, combinations
// turn round each of their parts, and any other kernel may say it (Reverser). It returns false where the kernel, or a part of it, says
// nothing; package exact then finds the reversal from the kernel's rows (exact.WithReversal).
func ReversalOf(k Kernel) (reversal Kernel, said bool) {
	if parts, combined := PartsOf(k); combined {
		for _, part := range parts.Kernels {
			if _, said := ReversalOf(part); !said {
				return nil, false
			}
		}
		return k.(combination).Reversed(), true
	}
	if r, reverser := k.(Reverser); reverser {
		return r.Reversal(), true
	}
	if OfLibrary(k) {
		return k, true
	}
	return nil, false
}

// MovesOf returns how many moves a kernel makes one after another at most: more than one where it is a sequence of the
// library, or has one among its parts.
func MovesOf(k Kernel) int {
	parts, combined := PartsOf(k)
	switch {
	case !combined:
		return 1
	case parts.Sequential:
		total := 0
		for _, part := range parts.Order {
			total += MovesOf(parts.Kernels[part])
		}
		return total * parts.Times
	}
	most := 0
	for _, part := range parts.Kernels {
		most = max(most, MovesOf(part))
	}
	return most
}
