package kernels

import (
	"fmt"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
)

// maxRepeat bounds how often a kernel is repeated in one move.
const maxRepeat = 10_000

// Repeat returns the kernel that applies k n times; n is at least 1.
func Repeat(n int, k chains.Kernel) chains.Kernel {
	return sequence(Sequence{Parts: []chains.Kernel{k}, Times: n, order: []int{0}, name: fmt.Sprintf("repeat:%d:%v", n, k)})
}

// repeatForm is how Repeat is selected.
func repeatForm() kernelForm {
	return kernelForm{
		Syntax: "repeat:N[:KERNEL]", Doc: "KERNEL (metropolis) N times", Example: "repeat:3:barker", Missing: "the number of repeats", Reversible: true,
		Parse: parseRepeat,
	}
}

func parseRepeat(args selector.Args, on Env) (chains.Kernel, error) {
	times, inner := args.Cut()
	n, err := strconv.Atoi(times)
	if err != nil || n < 1 || n > maxRepeat {
		return nil, args.Errorf("%q is no number of repeats from 1 to %d", times, maxRepeat)
	}
	if strings.Contains(inner, "repeat:") {
		return nil, args.Errorf("a repeat of a repeat; multiply the numbers")
	}
	k, err := on.inner(inner)
	if err != nil {
		return nil, args.Wrap(err)
	}
	return Repeat(n, k), nil
}
