package chains

// evaluated is a kernel that says what its moves cost.
type evaluated interface {
	// Evaluations returns how many times one move asks for log f, on average, where the value at the state that it starts
	// from is known. A proposal outside the space is asked for as well.
	Evaluations() float64
}

// Evaluations returns how many times one move of a kernel asks for log f of a black box, on average over its parts, and false
// where the kernel, or one of its parts, does not say. The value at the state where the chain is, is kept from the move before.
func Evaluations(k Kernel) (count float64, said bool) {
	parts, combined := PartsOf(k)
	if !combined {
		if e, says := k.(evaluated); says {
			return e.Evaluations(), true
		}
		return 0, false
	}
	each := make([]float64, len(parts.Kernels))
	for i, part := range parts.Kernels {
		if each[i], said = Evaluations(part); !said {
			return 0, false
		}
	}
	if !parts.Sequential {
		for i, w := range parts.Weights {
			count += w * each[i]
		}
		return count, true
	}
	for _, i := range parts.Order {
		count += each[i]
	}
	return count * float64(parts.Times), true
}
