package task_test

import ("testing";"os")

func TestDump(t *testing.T) {
	dir := os.Getenv("DUMP")
	if dir == "" { t.Skip() }
	os.MkdirAll(dir, 0o755)
	s := selection(os.Getenv("TOY"), 6)
	s.Kernel = os.Getenv("KERNEL")
	if os.Getenv("T") == "12" { s.Distributions = []int{12} }
	write(t, mustNew(t, s), dir)
}
