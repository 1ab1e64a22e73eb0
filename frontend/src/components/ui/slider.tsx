import { type InputHTMLAttributes, useId } from 'react'
import styles from './slider.module.css'

export interface SliderProps extends Pick<InputHTMLAttributes<HTMLInputElement>, 'min' | 'max' | 'disabled'> {
  label: string
  value: number
  /** The value as it stands beside the label. */
  shown: string
  /** The value in words, where the number alone does not say it. */
  valueText?: string
  onChange: (value: number) => void
}

/** One of many numbers in a row. Its value stands beside its name; the slider itself says it to a screen reader. */
export function Slider({ label, shown, valueText, onChange, ...range }: SliderProps) {
  const id = useId()
  return (
    <div className={styles.box}>
      <span className={styles.label}>
        <label htmlFor={id}>{label}</label>
        <span className={styles.value} aria-hidden="true">
          {shown}
        </span>
      </span>
      <input
        id={id}
        className={styles.slider}
        type="range"
        aria-valuetext={valueText}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
        {...range}
      />
    </div>
  )
}
