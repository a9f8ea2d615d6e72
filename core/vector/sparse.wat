;; sparse.wat — the methods of Sparse of package vector on Go's own memory, with the bits of sparse.go.
;; $ptr, $col and $diag are its lists of i32 and $n its size; $i is 4 times a row, as places in those are.
(module
  (import "go" "mem" (memory 1))

  ;; t + f·Σ val[e]·x[col[e]] for $from <= e < $to, f = 1 or -1
  (func $gather (param $t f64) (param $f f64) (param $from i32) (param $to i32) (param $col i32) (param $val i32) (param $x i32) (result f64)
    (local.set $col (i32.add (local.get $col) (i32.shl (local.get $from) (i32.const 2))))
    (local.set $val (i32.add (local.get $val) (i32.shl (local.get $from) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $from) (local.get $to)))
        (local.set $t (f64.add (local.get $t) (f64.mul (f64.mul (local.get $f) (f64.load (local.get $val)))
          (f64.load (i32.add (local.get $x) (i32.shl (i32.load (local.get $col)) (i32.const 3)))))))
        (local.set $col (i32.add (local.get $col) (i32.const 4)))
        (local.set $val (i32.add (local.get $val) (i32.const 8)))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $next)))
    (local.get $t))

  ;; x[col[e]] += val[e]·t for $from <= e < $to
  (func $scatter (param $t f64) (param $from i32) (param $to i32) (param $col i32) (param $val i32) (param $x i32)
    (local $at i32)
    (local.set $col (i32.add (local.get $col) (i32.shl (local.get $from) (i32.const 2))))
    (local.set $val (i32.add (local.get $val) (i32.shl (local.get $from) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $from) (local.get $to)))
        (local.set $at (i32.add (local.get $x) (i32.shl (i32.load (local.get $col)) (i32.const 3))))
        (f64.store (local.get $at) (f64.add (f64.load (local.get $at)) (f64.mul (f64.load (local.get $val)) (local.get $t))))
        (local.set $col (i32.add (local.get $col) (i32.const 4)))
        (local.set $val (i32.add (local.get $val) (i32.const 8)))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $next))))

  (func (export "sparseMultiply") (param $n i32) (param $ptr i32) (param $col i32) (param $d i32) (param $val i32) (param $x i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $d) (i32.shl (local.get $n) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $d) (local.get $end)))
        (f64.store (local.get $d) (call $gather (f64.const 0) (f64.const 1)
          (i32.load (local.get $ptr)) (i32.load offset=4 (local.get $ptr)) (local.get $col) (local.get $val) (local.get $x)))
        (local.set $d (i32.add (local.get $d) (i32.const 8)))
        (local.set $ptr (i32.add (local.get $ptr) (i32.const 4)))
        (br $next))))

  (func (export "sparseMultiplyTransposed") (param $n i32) (param $ptr i32) (param $col i32) (param $d i32) (param $val i32) (param $x i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $x) (i32.shl (local.get $n) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $x) (local.get $end)))
        (if (f64.ne (f64.load (local.get $x)) (f64.const 0))
          (then (call $scatter (f64.load (local.get $x))
            (i32.load (local.get $ptr)) (i32.load offset=4 (local.get $ptr)) (local.get $col) (local.get $val) (local.get $d))))
        (local.set $x (i32.add (local.get $x) (i32.const 8)))
        (local.set $ptr (i32.add (local.get $ptr) (i32.const 4)))
        (br $next))))

  (func (export "sparseSolve") (param $n i32) (param $ptr i32) (param $col i32) (param $diag i32) (param $x i32) (param $lu i32)
    (local $i i32) (local $d i32) (local $y i32)
    (local.set $n (i32.shl (local.get $n) (i32.const 2)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $i) (local.get $n)))
        (local.set $y (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 1))))
        (f64.store (local.get $y) (call $gather (f64.load (local.get $y)) (f64.const -1)
          (i32.load (i32.add (local.get $ptr) (local.get $i))) (i32.load (i32.add (local.get $diag) (local.get $i)))
          (local.get $col) (local.get $lu) (local.get $x)))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br $next)))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $i)))
        (local.set $i (i32.sub (local.get $i) (i32.const 4)))
        (local.set $y (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 1))))
        (local.set $d (i32.load (i32.add (local.get $diag) (local.get $i))))
        (f64.store (local.get $y) (f64.div
          (call $gather (f64.load (local.get $y)) (f64.const -1)
            (i32.add (local.get $d) (i32.const 1)) (i32.load offset=4 (i32.add (local.get $ptr) (local.get $i)))
            (local.get $col) (local.get $lu) (local.get $x))
          (f64.load (i32.add (local.get $lu) (i32.shl (local.get $d) (i32.const 3))))))
        (br $next))))

  (func (export "sparseSolveTransposed") (param $n i32) (param $ptr i32) (param $col i32) (param $diag i32) (param $x i32) (param $lu i32)
    (local $i i32) (local $d i32) (local $y i32) (local $t f64)
    (local.set $n (i32.shl (local.get $n) (i32.const 2)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $i) (local.get $n)))
        (local.set $y (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 1))))
        (local.set $d (i32.load (i32.add (local.get $diag) (local.get $i))))
        (local.set $t (f64.div (f64.load (local.get $y)) (f64.load (i32.add (local.get $lu) (i32.shl (local.get $d) (i32.const 3))))))
        (f64.store (local.get $y) (local.get $t))
        (if (f64.ne (local.get $t) (f64.const 0))
          (then (call $scatter (f64.neg (local.get $t))
            (i32.add (local.get $d) (i32.const 1)) (i32.load offset=4 (i32.add (local.get $ptr) (local.get $i)))
            (local.get $col) (local.get $lu) (local.get $x))))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br $next)))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $i)))
        (local.set $i (i32.sub (local.get $i) (i32.const 4)))
        (local.set $t (f64.load (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 1)))))
        (if (f64.ne (local.get $t) (f64.const 0))
          (then (call $scatter (f64.neg (local.get $t))
            (i32.load (i32.add (local.get $ptr) (local.get $i))) (i32.load (i32.add (local.get $diag) (local.get $i)))
            (local.get $col) (local.get $lu) (local.get $x))))
        (br $next))))

  (func (export "sparseFactor") (param $n i32) (param $ptr i32) (param $col i32) (param $diag i32) (param $lu i32) (param $at i32)
    (local $i i32) (local $from i32) (local $to i32) (local $d i32) (local $e i32) (local $k i32) (local $g i32) (local $last i32) (local $h i32)
    (local $f f64)
    (local.set $n (i32.shl (local.get $n) (i32.const 2)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $i) (local.get $n)))
        (local.set $from (i32.load (i32.add (local.get $ptr) (local.get $i))))
        (local.set $to (i32.load offset=4 (i32.add (local.get $ptr) (local.get $i))))
        (local.set $d (i32.load (i32.add (local.get $diag) (local.get $i))))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br_if $next (i32.eq (local.get $from) (local.get $d)))
        ;; places of the row
        (local.set $e (local.get $from))
        (loop $place
          (i32.store (i32.add (local.get $at) (call $four (local.get $col) (local.get $e))) (local.get $e))
          (local.set $e (i32.add (local.get $e) (i32.const 1)))
          (br_if $place (i32.lt_s (local.get $e) (local.get $to))))
        (local.set $e (local.get $from))
        (loop $below
          (local.set $k (call $four (local.get $col) (local.get $e)))
          (local.set $g (i32.load (i32.add (local.get $diag) (local.get $k))))
          (local.set $last (i32.load offset=4 (i32.add (local.get $ptr) (local.get $k))))
          (local.set $h (i32.add (local.get $lu) (i32.shl (local.get $e) (i32.const 3))))
          (local.set $f (f64.div (f64.load (local.get $h)) (f64.load (i32.add (local.get $lu) (i32.shl (local.get $g) (i32.const 3))))))
          (f64.store (local.get $h) (local.get $f))
          (if (f64.ne (local.get $f) (f64.const 0))
            (then
              (block $over
                (loop $entry
                  (local.set $g (i32.add (local.get $g) (i32.const 1)))
                  (br_if $over (i32.ge_s (local.get $g) (local.get $last)))
                  (local.set $h (i32.load (i32.add (local.get $at) (call $four (local.get $col) (local.get $g)))))
                  (br_if $entry (i32.lt_s (local.get $h) (i32.const 0)))
                  (local.set $h (i32.add (local.get $lu) (i32.shl (local.get $h) (i32.const 3))))
                  (f64.store (local.get $h) (f64.sub (f64.load (local.get $h))
                    (f64.mul (local.get $f) (f64.load (i32.add (local.get $lu) (i32.shl (local.get $g) (i32.const 3)))))))
                  (br $entry)))))
          (local.set $e (i32.add (local.get $e) (i32.const 1)))
          (br_if $below (i32.lt_s (local.get $e) (local.get $d))))
        (local.set $e (local.get $from))
        (loop $place
          (i32.store (i32.add (local.get $at) (call $four (local.get $col) (local.get $e))) (i32.const -1))
          (local.set $e (i32.add (local.get $e) (i32.const 1)))
          (br_if $place (i32.lt_s (local.get $e) (local.get $to))))
        (br $next))))

  ;; 4 times col[e]
  (func $four (param $col i32) (param $e i32) (result i32)
    (i32.shl (i32.load (i32.add (local.get $col) (i32.shl (local.get $e) (i32.const 2)))) (i32.const 2))))
