package exacttest

// Library returns selectors of every kernel, simple and combined.
func Library() []string {
	return []string{
		"metropolis", "moore", "flip", "barker", "jump:0.05", "jump:0", "jump:1", "independence", "exact",
		"heatbath", "heatbath-axis:0", "heatbath-scan",
		"balanced:sqrt", "balanced:barker:flip", "balanced:min", "gradient", "tabu:2", "tabu:3:barker",
		"delayed-rejection",
		"suwa-todo", "suwa-todo-axis:0", "heatbath-zigzag", "block:1x1", "swendsen-wang", "wolff", "stay",
		"lazy:0.5", "lazy:0.25:suwa-todo",
		"repeat:3:metropolis", "repeat:2:heatbath-scan",
		"compose:metropolis+heatbath", "palindrome:metropolis+heatbath", "palindrome:suwa-todo+barker",
		"mixture:1*metropolis+3*heatbath-scan", "mixture:0.5*barker+0.5*jump:0.1",
		"lazy:0.1:compose:moore+barker",
	}
}
