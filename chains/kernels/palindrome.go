package kernels

import (
	"breadboard/chains"
	"breadboard/chains/selector"
)

// Palindrome returns the kernel that applies its parts in order and then back again, the last one only once: k, l, k for
// the parts k and l. It is reversible where its parts are.
func Palindrome(k ...chains.Kernel) chains.Kernel {
	order := inOrder(len(k))
	for i := len(k) - 2; i >= 0; i-- {
		order = append(order, i)
	}
	return sequence(Sequence{Parts: k, Times: 1, order: order, name: "palindrome:" + names(k)})
}

// palindromeForm is how Palindrome is selected.
func palindromeForm() kernelForm {
	return kernelForm{
		Syntax: "palindrome:K1+K2...", Doc: "one kernel after another, forth and back: K1, K2, K1", Example: "palindrome:metropolis+barker", Missing: "two kernels or more", Reversible: true,
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			parts, err := parseParts(args, on)
			if err != nil {
				return nil, err
			}
			return Palindrome(parts...), nil
		},
	}
}
