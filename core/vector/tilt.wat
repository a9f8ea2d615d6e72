;; tilt.wat — Exp, Tilt, TiltLittle and Weigh of package vector on Go's own memory, two numbers at a time, with
;; the bits of tilt.go. $c is where series is.
(module
  (import "go" "mem" (memory 1))

  ;; (e^r - 1 - r)/r²
  (func $remainder (param $r v128) (param $c i32) (result v128)
    (local $s v128) (local $u v128)
    (local.set $s (f64x2.mul (local.get $r) (local.get $r)))
    (local.set $u (f64x2.mul (local.get $s) (local.get $s)))
    (f64x2.add
      (f64x2.add
        (f64x2.add (v128.load64_splat offset=56 (local.get $c)) (f64x2.mul (v128.load64_splat offset=64 (local.get $c)) (local.get $r)))
        (f64x2.mul (f64x2.add (v128.load64_splat offset=72 (local.get $c)) (f64x2.mul (v128.load64_splat offset=80 (local.get $c)) (local.get $r))) (local.get $s)))
      (f64x2.mul (local.get $u) (f64x2.add
        (f64x2.add
          (f64x2.add (v128.load64_splat offset=88 (local.get $c)) (f64x2.mul (v128.load64_splat offset=96 (local.get $c)) (local.get $r)))
          (f64x2.mul (f64x2.add (v128.load64_splat offset=104 (local.get $c)) (f64x2.mul (v128.load64_splat offset=112 (local.get $c)) (local.get $r))) (local.get $s)))
        (f64x2.mul (local.get $u) (f64x2.add
          (f64x2.add (v128.load64_splat offset=120 (local.get $c)) (f64x2.mul (v128.load64_splat offset=128 (local.get $c)) (local.get $r)))
          (f64x2.mul (f64x2.add (v128.load64_splat offset=136 (local.get $c)) (f64x2.mul (v128.load64_splat offset=144 (local.get $c)) (local.get $r))) (local.get $s))))))))

  ;; e^x and e^x - 1
  (func $exponential (param $x v128) (param $c i32) (result v128 v128)
    (local $t v128) (local $k v128) (local $r v128) (local $n v128) (local $half v128) (local $less v128) (local $e v128)
    (local.set $x (f64x2.pmin (f64x2.pmax (local.get $x) (v128.load64_splat offset=32 (local.get $c))) (v128.load64_splat offset=40 (local.get $c))))
    (local.set $t (f64x2.add (f64x2.mul (local.get $x) (v128.load64_splat (local.get $c))) (v128.load64_splat offset=24 (local.get $c))))
    (local.set $k (f64x2.sub (local.get $t) (v128.load64_splat offset=24 (local.get $c))))
    (local.set $r (f64x2.sub
      (f64x2.sub (local.get $x) (f64x2.mul (local.get $k) (v128.load64_splat offset=8 (local.get $c))))
      (f64x2.mul (local.get $k) (v128.load64_splat offset=16 (local.get $c)))))
    (local.set $less (f64x2.add (local.get $r) (f64x2.mul (f64x2.mul (local.get $r) (local.get $r)) (call $remainder (local.get $r) (local.get $c)))))
    (local.set $n (i64x2.sub (local.get $t) (v128.load64_splat offset=24 (local.get $c))))
    (local.set $half (i64x2.shr_s (local.get $n) (i32.const 1)))
    (local.set $e (f64x2.mul
      (f64x2.mul (f64x2.add (v128.load64_splat offset=48 (local.get $c)) (local.get $less)) (call $power (local.get $half)))
      (call $power (i64x2.sub (local.get $n) (local.get $half)))))
    (local.get $e)
    (v128.bitselect (local.get $less) (f64x2.sub (local.get $e) (v128.load64_splat offset=48 (local.get $c)))
      (i64x2.eq (local.get $n) (v128.const i64x2 0 0))))

  ;; 2^n
  (func $power (param $n v128) (result v128)
    (i64x2.shl (i64x2.add (local.get $n) (v128.const i64x2 1023 1023)) (i32.const 52)))

  ;; d[i] = e^s[i] for i < n
  (func (export "exp") (param $d i32) (param $s i32) (param $n i32) (param $c i32)
    (local $end i32) (local $e v128) (local $less v128)
    (local.set $end (i32.add (local.get $d) (i32.shl (i32.and (local.get $n) (i32.const -2)) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $d) (local.get $end)))
        (call $exponential (v128.load (local.get $s)) (local.get $c))
        (local.set $less)
        (local.set $e)
        (v128.store (local.get $d) (local.get $e))
        (local.set $d (i32.add (local.get $d) (i32.const 16)))
        (local.set $s (i32.add (local.get $s) (i32.const 16)))
        (br $next)))
    (if (i32.and (local.get $n) (i32.const 1))
      (then
        (call $exponential (v128.load64_zero (local.get $s)) (local.get $c))
        (local.set $less)
        (local.set $e)
        (v128.store64_lane 0 (local.get $d) (local.get $e)))))

  ;; p[j] = q[j] e^{bw}, w = (z[j] - base) scale, for j < n, and its five sums
  (func (export "tilt") (param $sums i32) (param $p i32) (param $q i32) (param $z i32) (param $n i32)
    (param $base f64) (param $scale f64) (param $b f64) (param $c i32)
    (local $mask v128) (local $y v128) (local $w v128) (local $e v128) (local $less v128)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128) (local $more v128)
    (local.set $mask (v128.const i64x2 -1 -1))
    (block $done
      (loop $next
        (br_if $done (i32.le_s (local.get $n) (i32.const 0)))
        (if (i32.eq (local.get $n) (i32.const 1))
          (then
            (local.set $mask (v128.const i64x2 -1 0))
            (local.set $w (v128.load64_zero (local.get $z)))
            (local.set $y (v128.load64_zero (local.get $q))))
          (else
            (local.set $w (v128.load (local.get $z)))
            (local.set $y (v128.load (local.get $q)))))
        (local.set $w (f64x2.mul (f64x2.sub (local.get $w) (f64x2.splat (local.get $base))) (f64x2.splat (local.get $scale))))
        (call $exponential (f64x2.mul (f64x2.splat (local.get $b)) (local.get $w)) (local.get $c))
        (local.set $less)
        (local.set $e)
        (local.set $more (f64x2.add (local.get $more) (v128.and (local.get $mask) (f64x2.mul (local.get $y) (local.get $less)))))
        (local.set $e (v128.and (local.get $mask) (f64x2.mul (local.get $e) (local.get $y))))
        (if (i32.eq (local.get $n) (i32.const 1))
          (then (v128.store64_lane 0 (local.get $p) (local.get $e)))
          (else (v128.store (local.get $p) (local.get $e))))
        (local.set $s0 (f64x2.add (local.get $s0) (local.get $e)))
        (local.set $e (f64x2.mul (local.get $e) (local.get $w)))
        (local.set $s1 (f64x2.add (local.get $s1) (local.get $e)))
        (local.set $e (f64x2.mul (local.get $e) (local.get $w)))
        (local.set $s2 (f64x2.add (local.get $s2) (local.get $e)))
        (local.set $s3 (f64x2.add (local.get $s3) (f64x2.mul (local.get $e) (local.get $w))))
        (local.set $p (i32.add (local.get $p) (i32.const 16)))
        (local.set $q (i32.add (local.get $q) (i32.const 16)))
        (local.set $z (i32.add (local.get $z) (i32.const 16)))
        (local.set $n (i32.sub (local.get $n) (i32.const 2)))
        (br $next)))
    (call $write (local.get $sums) (local.get $s0) (local.get $s1) (local.get $s2) (local.get $s3) (local.get $more)))

  ;; tilt with x = b (w - mean) for bw, and what it is short of
  (func (export "tiltLittle") (param $sums i32) (param $p i32) (param $q i32) (param $z i32) (param $n i32)
    (param $base f64) (param $scale f64) (param $b f64) (param $mean f64) (param $c i32)
    (local $y v128) (local $x v128) (local $h v128) (local $e v128) (local $qx v128) (local $square v128)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128) (local $more v128) (local $one v128)
    (local.set $one (v128.load64_splat offset=48 (local.get $c)))
    (block $done
      (loop $next
        (br_if $done (i32.le_s (local.get $n) (i32.const 0)))
        (if (i32.eq (local.get $n) (i32.const 1))
          (then ;; z at the base and no mass beside it
            (local.set $x (f64x2.replace_lane 0 (f64x2.splat (local.get $base)) (f64.load (local.get $z))))
            (local.set $y (v128.load64_zero (local.get $q))))
          (else
            (local.set $x (v128.load (local.get $z)))
            (local.set $y (v128.load (local.get $q)))))
        (local.set $x (f64x2.mul (f64x2.splat (local.get $b)) (f64x2.sub
          (f64x2.mul (f64x2.sub (local.get $x) (f64x2.splat (local.get $base))) (f64x2.splat (local.get $scale)))
          (f64x2.splat (local.get $mean)))))
        (local.set $h (f64x2.mul (local.get $x) (call $remainder (local.get $x) (local.get $c))))
        (local.set $e (f64x2.add (f64x2.add (local.get $one) (local.get $x)) (f64x2.mul (local.get $x) (local.get $h))))
        (local.set $qx (f64x2.mul (local.get $y) (local.get $x)))
        (local.set $square (f64x2.mul (local.get $qx) (local.get $x)))
        (local.set $more (f64x2.add (local.get $more) (f64x2.mul (local.get $qx) (local.get $h))))
        (local.set $s1 (f64x2.add (local.get $s1) (f64x2.mul (local.get $square) (f64x2.add (local.get $one) (local.get $h)))))
        (local.set $square (f64x2.mul (local.get $square) (local.get $e)))
        (local.set $s2 (f64x2.add (local.get $s2) (local.get $square)))
        (local.set $s3 (f64x2.add (local.get $s3) (f64x2.mul (local.get $square) (local.get $x))))
        (local.set $e (f64x2.mul (local.get $y) (local.get $e)))
        (local.set $s0 (f64x2.add (local.get $s0) (local.get $e)))
        (if (i32.eq (local.get $n) (i32.const 1))
          (then (v128.store64_lane 0 (local.get $p) (local.get $e)))
          (else (v128.store (local.get $p) (local.get $e))))
        (local.set $p (i32.add (local.get $p) (i32.const 16)))
        (local.set $q (i32.add (local.get $q) (i32.const 16)))
        (local.set $z (i32.add (local.get $z) (i32.const 16)))
        (local.set $n (i32.sub (local.get $n) (i32.const 2)))
        (br $next)))
    (call $write (local.get $sums) (local.get $s0) (local.get $s1) (local.get $s2) (local.get $s3) (local.get $more)))

  ;; p[j] = q[j] e[at[j]] for j < n, or q[j] e[j] when $at is 0, made to sum to 1; its sum and that of p[j] w[..] before
  (func (export "weigh") (param $sums i32) (param $p i32) (param $q i32) (param $n i32) (param $e i32) (param $w i32) (param $at i32)
    (local $from i32) (local $to i32) (local $t i32) (local $y v128) (local $x v128) (local $mass v128) (local $first v128) (local $inv v128)
    (local.set $from (local.get $p))
    (local.set $to (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (i32.add (local.get $p) (i32.const 8)) (local.get $to)))
        (if (local.get $at)
          (then
            (local.set $t (i32.shl (i32.load (local.get $at)) (i32.const 3)))
            (local.set $y (v128.load64_zero (i32.add (local.get $e) (local.get $t))))
            (local.set $x (v128.load64_zero (i32.add (local.get $w) (local.get $t))))
            (local.set $t (i32.shl (i32.load offset=4 (local.get $at)) (i32.const 3)))
            (local.set $y (v128.load64_lane 1 (i32.add (local.get $e) (local.get $t)) (local.get $y)))
            (local.set $x (v128.load64_lane 1 (i32.add (local.get $w) (local.get $t)) (local.get $x)))
            (local.set $at (i32.add (local.get $at) (i32.const 8))))
          (else
            (local.set $y (v128.load (local.get $e)))
            (local.set $x (v128.load (local.get $w)))
            (local.set $e (i32.add (local.get $e) (i32.const 16)))
            (local.set $w (i32.add (local.get $w) (i32.const 16)))))
        (local.set $y (f64x2.mul (local.get $y) (v128.load (local.get $q))))
        (v128.store (local.get $p) (local.get $y))
        (local.set $mass (f64x2.add (local.get $mass) (local.get $y)))
        (local.set $first (f64x2.add (local.get $first) (f64x2.mul (local.get $y) (local.get $x))))
        (local.set $p (i32.add (local.get $p) (i32.const 16)))
        (local.set $q (i32.add (local.get $q) (i32.const 16)))
        (br $next)))
    (if (i32.and (local.get $n) (i32.const 1))
      (then
        (if (local.get $at)
          (then
            (local.set $t (i32.shl (i32.load (local.get $at)) (i32.const 3)))
            (local.set $e (i32.add (local.get $e) (local.get $t)))
            (local.set $w (i32.add (local.get $w) (local.get $t)))))
        (local.set $y (f64x2.mul (v128.load64_zero (local.get $e)) (v128.load64_zero (local.get $q))))
        (v128.store64_lane 0 (local.get $p) (local.get $y))
        (local.set $mass (f64x2.add (local.get $mass) (local.get $y)))
        (local.set $first (f64x2.add (local.get $first) (f64x2.mul (local.get $y) (v128.load64_zero (local.get $w)))))))
    (local.set $inv (f64x2.splat (f64.add (f64x2.extract_lane 0 (local.get $mass)) (f64x2.extract_lane 1 (local.get $mass)))))
    (f64.store (local.get $sums) (f64x2.extract_lane 0 (local.get $inv)))
    (f64.store offset=8 (local.get $sums) (f64.add (f64x2.extract_lane 0 (local.get $first)) (f64x2.extract_lane 1 (local.get $first))))
    (local.set $inv (f64x2.div (f64x2.splat (f64.const 1)) (local.get $inv)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (i32.add (local.get $from) (i32.const 8)) (local.get $to)))
        (v128.store (local.get $from) (f64x2.mul (v128.load (local.get $from)) (local.get $inv)))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (br $next)))
    (if (i32.and (local.get $n) (i32.const 1))
      (then (v128.store64_lane 0 (local.get $from) (f64x2.mul (v128.load64_zero (local.get $from)) (local.get $inv))))))

  (func $write (param $sums i32) (param $s0 v128) (param $s1 v128) (param $s2 v128) (param $s3 v128) (param $more v128)
    (f64.store (local.get $sums) (f64.add (f64x2.extract_lane 0 (local.get $s0)) (f64x2.extract_lane 1 (local.get $s0))))
    (f64.store offset=8 (local.get $sums) (f64.add (f64x2.extract_lane 0 (local.get $s1)) (f64x2.extract_lane 1 (local.get $s1))))
    (f64.store offset=16 (local.get $sums) (f64.add (f64x2.extract_lane 0 (local.get $s2)) (f64x2.extract_lane 1 (local.get $s2))))
    (f64.store offset=24 (local.get $sums) (f64.add (f64x2.extract_lane 0 (local.get $s3)) (f64x2.extract_lane 1 (local.get $s3))))
    (f64.store offset=32 (local.get $sums) (f64.add (f64x2.extract_lane 0 (local.get $more)) (f64x2.extract_lane 1 (local.get $more))))))
